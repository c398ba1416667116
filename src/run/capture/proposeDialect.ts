import { Result, Schema } from "effect"
import { parseBody } from "../../client/RawBody.ts"
import type { Capture } from "../../contract/Capture.ts"
import type { DialectFile } from "../../contract/DialectFile.ts"
import { dialectFrom } from "../../contract/dialectFrom.ts"
import { type Dialect, dialects } from "../../contract/dialects.ts"
import { findList } from "../../contract/findList.ts"
import { OffsetPagination } from "../../contract/Paging.ts"
import { records } from "../../contract/records.ts"
import { acceptPage } from "../../rows/acceptPage.ts"
import { recordRules } from "../../rows/recordRules.ts"
import { isObject } from "../../rows/isObject.ts"
import { type CapturedPage, capturedPages, pageGiven, recordsOfPage } from "./capturedPages.ts"
import { proposeMoves } from "./proposeMoves.ts"
import { proposeWords } from "./proposeWords.ts"

type Moved = { [part: string]: { [to: string]: string } }

/** A dialect file on its way. */
interface Draft extends Omit<DialectFile, "moved"> {
  readonly moved: Moved
}

const asDialect = (draft: Draft): Dialect =>
  // Each draft is another one, as its rules are kept by name.
  dialectFrom({ sha256: Schema.encodeSync(Schema.StringFromHex)(JSON.stringify(draft)), content: draft })

const envelope = Schema.Struct({
  data: Schema.Array(Schema.Unknown),
  pagination: OffsetPagination
})

/** Where a page has its list, and what it says of it. */
const envelopeMoves = (page: CapturedPage): { [to: string]: string } => {
  const json = Result.getOrUndefined(parseBody(page.text))
  const list = findList(json)
  if (!isObject(json) || list === null || page.part.endsWith(" lines")) return {}
  const moved: { [to: string]: string } = {}
  const [first] = list.path
  if (first !== undefined && list.path.join(".") !== "data") moved["data"] = list.path.join(".")
  if (page.kind !== "products" && page.kind !== "expansions") return moved
  const rest = Object.fromEntries(Object.entries(json).filter(([key]) => key !== first))
  const unknown = Object.keys(rest).filter((key) => key !== "pagination")
  const inside = isObject(rest["pagination"]) ? Object.keys(rest["pagination"]) : []
  const odd = inside.filter((key) => !(key in OffsetPagination.fields)).map((key) => `pagination.${key}`)
  for (const { from, to } of proposeMoves([rest], envelope.ast, [...unknown, ...odd])) {
    if (to[0] === "pagination") moved[to.join(".")] = from.join(".")
  }
  return moved
}

const unknownKeysOf = (page: CapturedPage, draft: Draft): ReadonlyArray<string> => {
  const dialect = asDialect(draft)
  const read = recordsOfPage(page, dialect)
  if (Result.isFailure(read)) return []
  const told = { plain: Buffer.from(page.text), text: page.text, data: read.success }
  return [...acceptPage(recordRules(dialect)[page.kind], null, told, () => {}).unknownKeys.keys()]
}

const recordsIn = (page: CapturedPage, draft: Draft): ReadonlyArray<unknown> =>
  Result.getOrElse(recordsOfPage(page, asDialect(draft)), () => [])

/**
 * A path of products in the spec's words. What a block has elsewhere, all blocks have there, also where none was
 * captured: of sealed products, and of cards.
 */
const inSpecWords = (path: ReadonlyArray<string>, { blocks, ids }: Dialect): ReadonlyArray<string> => {
  const [first = ""] = path
  const place = first === "pricesByFinish" ? 2 : first === "prices" || first === "externalIds" ? 1 : 0
  const words = Object.entries<string>(first === "externalIds" ? ids : blocks)
  if (place === 0 || path.length <= place) return path
  return path.map((step, at) => (at === place ? (words.find(([, word]) => word === step)?.[0] ?? step) : step))
}

const isOfBlock = /^(?:prices|pricesByFinish\.\*)\.[^.]+\.(.+)$/

const inAllBlocks = (to: string, from: string): ReadonlyArray<readonly [string, string]> => {
  const inner = isOfBlock.exec(to)?.[1]
  const wire = isOfBlock.exec(from)?.[1]
  if (inner === undefined || wire === undefined) return [[to, from]]
  return [
    [`pricesByFinish.*.*.${inner}`, `pricesByFinish.*.*.${wire}`],
    [`prices.*.${inner}`, `prices.*.${wire}`]
  ]
}

const withMoves = (draft: Draft, page: CapturedPage): Draft => {
  const dialect = asDialect(draft)
  const found = proposeMoves(
    recordsIn(page, draft),
    records(dialect)[page.kind].ast,
    unknownKeysOf(page, draft).filter((path) => !path.startsWith("externalIds."))
  )
  const moved = { ...draft.moved[page.part] }
  for (const { from, to } of found) {
    for (const [there, here] of inAllBlocks(inSpecWords(to, dialect).join("."), from.join("."))) moved[there] ??= here
  }
  return Object.keys(moved).length === 0 ? draft : { ...draft, moved: { ...draft.moved, [page.part]: moved } }
}

const isFilled = (value: object | undefined): boolean => value !== undefined && Object.keys(value).length > 0

/**
 * A dialect file for what was captured: where a key that nobody knows is likely one that the contract misses, it says
 * so. It is a proposal, which a person looks through.
 */
export const proposeDialect = (capture: Capture, like: keyof typeof dialects): DialectFile => {
  const pages = capturedPages(capture)
  const offset = [pageGiven(capture, "products"), pageGiven(capture, "expansions")].filter((one) => one !== null)
  const cursor = pageGiven(capture, "changelog")
  const sizes = {
    ...(offset.length === 0 ? {} : { offset: Math.min(...offset) }),
    ...(cursor === null ? {} : { cursor: Math.min(cursor, 100) })
  }
  const page = Object.assign({}, ...pages.map(envelopeMoves)) as Moved[string]
  let draft: Draft = { name: "mine", like, moved: isFilled(page) ? { page } : {} }
  for (const one of pages) {
    if (one.kind !== "products" && one.kind !== "prices" && one.kind !== "catalog") continue
    const words = proposeWords(recordsIn(one, draft), unknownKeysOf(one, draft), asDialect(draft))
    draft = { ...draft, blocks: { ...words.blocks, ...draft.blocks }, ids: { ...words.ids, ...draft.ids } }
  }
  // What was moved may have hidden what is beside it.
  for (const one of [...pages, ...pages]) draft = withMoves(draft, one)
  const { blocks, ids, moved, ...rest } = draft
  return {
    ...rest,
    ...(isFilled(sizes) ? { pages: sizes } : {}),
    ...(isFilled(blocks) && blocks !== undefined ? { blocks } : {}),
    ...(isFilled(ids) && ids !== undefined ? { ids } : {}),
    ...(isFilled(moved) ? { moved } : {})
  }
}
