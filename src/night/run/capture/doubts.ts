import { Result, type SchemaAST } from "effect"
import { parseBody } from "../../../feed/client/RawBody.ts"
import type { Capture, CapturePart } from "../../../feed/contract/Capture.ts"
import type { DialectFile } from "../../../feed/contract/dialect/DialectFile.ts"
import type { Dialect } from "../../../feed/contract/dialect/dialects.ts"
import { findList } from "../../../feed/contract/findList.ts"
import { capturedPages, recordsOfPage, isSealed } from "./capturedPages.ts"
import { missingPlaces, possibleMoves, inAllBlocks, specPath, valuesAt } from "./proposeMoves.ts"

/** Paths that nights never need, or not in every request. */
const notRequested = /^(?:availability|changes)\b/

/** Price figures, and objects that contain them. */
const ofPrices = /^prices.*\.(?:low|mid|high|marketValue|listingCount|availableQuantity|regions|byCondition)$/

const parentPath = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf(".")))

/** Returns keys of the contract that no record has: in records, in prices, and beside unknown keys. */
export const missingIn = (
  data: ReadonlyArray<unknown>,
  record: SchemaAST.AST,
  unknown: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const parents = new Set(unknown.map(parentPath))
  return missingPlaces(data, record)
    .map(({ path }) => path.join("."))
    .filter(
      (path) =>
        !notRequested.test(path) && (parents.has(parentPath(path)) || ofPrices.test(path) || !path.includes("."))
    )
}

/** Longer lists of paths give no information. */
const maxPlaces = 3

/** Proposes meanings of unknown keys, one sentence each. */
export const pairDoubts = (
  part: CapturePart,
  data: ReadonlyArray<unknown>,
  of: { readonly record: SchemaAST.AST; readonly unknown: ReadonlyArray<string>; readonly dialect: Dialect }
): ReadonlyArray<string> => {
  const places = new Map<string, Array<string>>()
  for (const { from, to } of possibleMoves(data, of)) {
    const path = specPath(to, of.dialect).join(".")
    if (!notRequested.test(path)) places.set(from.join("."), [...(places.get(from.join(".")) ?? []), path])
  }
  const list = part === "sealed" ? "products" : part
  return [...places].flatMap(([from, to]) => {
    const [first = ""] = to
    if (to.length > maxPlaces) return []
    const [there, here] = inAllBlocks(first, from).find(([path]) => path.split(".")[0] === first.split(".")[0]) ?? [
      first,
      from
    ]
    const question = to.length === 1 ? "the same field?" : "one of them?"
    const are = to.length === 1 ? "is" : "are"
    return [
      `${to.join(", ")} ${are} in no record, ${from} is in no table: ${question} If so, add to moved, ${list}: ${JSON.stringify(there)}: ${JSON.stringify(here)}`
    ]
  })
}

const findCurrencies = (data: ReadonlyArray<unknown>, word: string): ReadonlySet<unknown> =>
  new Set(
    [
      ["prices", word, "currency"],
      ["pricesByFinish", "*", word, "currency"]
    ].flatMap((path) => valuesAt(data, path))
  )

/** Finds sources without any price in their currency: two sources may be swapped. */
export const currencyDoubts = (data: ReadonlyArray<unknown>, { blocks, sources }: Dialect): ReadonlyArray<string> =>
  (["sourceEur", "sourceUsd"] as const).flatMap((name) => {
    const currency = sources[name].currency
    const found = findCurrencies(data, blocks[name])
    return found.size === 0 || currency === null || found.has(currency)
      ? []
      : [`the prices of ${name} (${blocks[name]}) are in ${[...found].map(String).join(", ")}, none in ${currency}`]
  })

/** The lists whose records share moved keys with a list. */
const alsoIn: { readonly [part in CapturePart]?: ReadonlyArray<CapturePart> } = {
  products: ["products", "sealed", "catalog lines", "prices lines"],
  expansions: ["expansions", "expansions lines"]
}

const twin = (path: string): string =>
  path.startsWith("prices.")
    ? path.replace(/^prices\./, "pricesByFinish.*.")
    : path.replace(/^pricesByFinish\.\*\./, "prices.")

/** Returns paths of a dialect file that no record has; for prices, neither cards nor sealed products. */
export const unmatchedMoves = (
  capture: Capture,
  dialect: Dialect
): ReadonlyArray<{ readonly part: CapturePart; readonly says: string }> => {
  const moved = (dialect.file?.content as DialectFile | undefined)?.moved ?? {}
  const around: Dialect = { ...dialect, moves: { page: dialect.moves?.["page"] } }
  const pages = capturedPages(capture)
  return Object.entries(moved).flatMap(([list, paths]) => {
    const part = list as CapturePart
    const parts = alsoIn[part] ?? [part]
    const records = pages
      .filter((page) => parts.includes(page.part))
      .flatMap((page) => Result.getOrElse(recordsOfPage(page, around), () => []))
    // Envelopes and feed descriptions are not lists of records.
    if (list === "page" || list === "feeds" || records.length === 0) return []
    const isThere = (path: string) => valuesAt(records, path.split(".")).length > 0
    // Paths without captured data are not judged.
    const isCaptured = (path: string) => !path.includes(".") || [path, twin(path)].map(parentPath).some(isThere)
    return Object.entries(paths ?? {})
      .filter(([to, from]) => !isThere(from) && !isThere(twin(from)) && isCaptured(to))
      .map(([to, from]) => ({ part, says: `moved: ${to}: ${from} is in no record` }))
  })
}

/** Reports that the prices of sealed products were not tried, if that is so. */
export const sealedDoubts = (capture: Capture): ReadonlyArray<string> => {
  const pages = capturedPages(capture)
  const read = ({ part }: { readonly part: CapturePart }) =>
    part === "products" || part === "sealed" || part === "catalog lines"
  const recordsIn = ({ text }: { readonly text: string }) =>
    findList(Result.getOrUndefined(parseBody(text)))?.records ?? []
  const all = pages.filter(read).flatMap(recordsIn)
  const sealedPage = pages.find(({ part }) => part === "sealed")
  const isNone = sealedPage !== undefined && recordsIn(sealedPage).length === 0
  return all.length === 0 || all.some(isSealed) || isNone
    ? []
    : ["the capture has no sealed product, so sealed prices (field prices; cards have pricesByFinish) were not tested"]
}
