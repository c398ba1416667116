import { hash } from "node:crypto"
import { Record, Result, Schema, type SchemaAST } from "effect"
import { parseBody } from "../../../feed/client/RawBody.ts"
import type { Capture } from "../../../feed/contract/Capture.ts"
import { type DialectFile, dialectFrom } from "../../../feed/contract/dialect/DialectFile.ts"
import {
  type Dialect,
  dialectNames,
  type KnownDialect,
  type BlockName,
  type SingleId
} from "../../../feed/contract/dialect/dialects.ts"
import { findList } from "../../../feed/contract/findList.ts"
import { FeedFile, FeedFiles } from "../../../feed/contract/FeedFile.ts"
import { OffsetPagination } from "../../../feed/contract/Paging.ts"
import { isWordy, records } from "../../../feed/contract/records.ts"
import { acceptPage } from "../../../feed/rows/acceptPage.ts"
import { recordRules } from "../../../feed/rows/recordRules.ts"
import { isObject } from "../../../feed/rows/isObject.ts"
import { type CapturedPage, capturedPages, pageSizes, recordsOfPage } from "./capturedPages.ts"
import {
  proposeMoves,
  fitsPlace,
  type ProposedMove,
  inAllBlocks,
  specPath,
  valuesAt,
  likeness
} from "./proposeMoves.ts"
import { misfit, readParts } from "./tryDialect.ts"
import { contractPaths } from "../../../feed/contract/contractPaths.ts"

const currencyBySource = { sourceEur: "EUR", sourceUsd: "USD" } as const

const isLive = (block: unknown): boolean => isObject(block) && ("regions" in block || isObject(block["low"]))

/** Returns the source of the price blocks under a key, by currency. */
const guessBlock = (values: ReadonlyArray<unknown>): BlockName | null => {
  if (values.some(isLive)) return "marketplace"
  const source = (["sourceEur", "sourceUsd"] as const).find((name) =>
    values.every((block) => isObject(block) && block["currency"] === currencyBySource[name])
  )
  return source ?? null
}

/** Proposes names of price blocks and product ids that a dialect does not know. */
export const proposeWords = (
  products: ReadonlyArray<unknown>,
  unknown: ReadonlyArray<string>,
  dialect: Pick<Dialect, "blocks" | "ids">
) => {
  const blocks: { [Name in BlockName]?: string } = {}
  const ids: Record<string, string> = {}
  const isThere = (path: ReadonlyArray<string>) => valuesAt(products, path).length > 0
  for (const path of unknown) {
    const steps = path.split(".")
    const [, place, word] = /^(prices|pricesByFinish\.\*)\.([^.]+)$/.exec(path) ?? []
    if (place === undefined || word === undefined) continue
    const name = guessBlock(valuesAt(products, steps))
    const known = name === null ? null : [...place.split("."), dialect.blocks[name]]
    if (name !== null && known !== null && !isThere(known)) blocks[name] ??= word
  }
  for (const path of unknown) {
    const [, word] = /^externalIds\.([^.]+)$/.exec(path) ?? []
    if (word === undefined) continue
    const isList = valuesAt(products, ["externalIds", word]).every(Array.isArray)
    const missing = Object.entries(dialect.ids).filter(
      ([name, known]) => name.startsWith("source") === isList && !isThere(["externalIds", known])
    )
    const sameAsBlock = missing.find(([name]) => blocks[name as BlockName] === word)
    const alike = missing.find(([name, known]) => Math.max(likeness(name, word), likeness(known, word)) >= 0.5)
    const found = sameAsBlock ?? (missing.length === 1 ? missing[0] : alike)
    if (found !== undefined) ids[found[0] as SingleId] ??= word
  }
  return { blocks, ids }
}

const isOfPrices = ([first]: ReadonlyArray<string>): boolean => first === "prices" || first === "pricesByFinish"

/** Extends a moved price figure to other kinds: where its value fits, and where nothing was captured. */
const elsewhereToo = (
  records: ReadonlyArray<unknown>,
  record: SchemaAST.AST,
  found: ReadonlyArray<ProposedMove>
): ReadonlyArray<ProposedMove> => {
  const places = contractPaths([record]).filter(({ path }) => isOfPrices(path))
  return found.flatMap(({ from, to }) => {
    const parent = to.slice(0, -1)
    if (!isOfPrices(to) || parent.some((step, at) => step !== from[at])) return []
    const tail = from.slice(parent.length)
    return places
      .filter(({ path }) => path.at(-1) === to.at(-1) && path.join(".") !== to.join("."))
      .map((place) => ({ place, path: [...place.path.slice(0, -1), ...tail] }))
      .filter(({ path, place }) => {
        if (valuesAt(records, place.path).length > 0) return false
        const values = valuesAt(records, path)
        const isCaptured = valuesAt(records, place.path.slice(0, -1)).length > 0
        return !isCaptured || (values.length > 0 && fitsPlace(place, values))
      })
      .map(({ path, place }): ProposedMove => ({ to: place.path, from: path }))
  })
}

type Moved = { [part: string]: { [to: string]: string } }

interface Draft extends Omit<DialectFile, "moved"> {
  readonly moved: Moved
}

const asDialect = (draft: DialectFile): Dialect =>
  // Rules are cached by name, so each draft needs a unique one.
  dialectFrom({ sha256: hash("sha256", JSON.stringify(draft)), content: draft })

const pagination = {
  products: Schema.Struct({ pagination: OffsetPagination }),
  expansions: Schema.Struct({ pagination: OffsetPagination }),
  changelog: Schema.Struct({ pagination: Schema.Struct({ nextCursor: Schema.NullOr(Schema.NonEmptyString) }) })
} as const

/** Returns the paths of a page's list and of its metadata. */
const envelopeMoves = (page: CapturedPage): { [to: string]: string } => {
  const json = Result.getOrUndefined(parseBody(page.text))
  const list = findList(json)
  if (!isObject(json) || list === null || page.part.endsWith(" lines")) return {}
  const moved: { [to: string]: string } = {}
  const [first] = list.path
  if (first !== undefined && list.path.join(".") !== "data") moved["data"] = list.path.join(".")
  if (page.kind !== "products" && page.kind !== "expansions" && page.kind !== "changelog") return moved
  const expected = pagination[page.kind]
  const rest = Object.fromEntries(Object.entries(json).filter(([key]) => key !== first))
  const unknown = Object.keys(rest).filter((key) => key !== "pagination")
  const inside = isObject(rest["pagination"]) ? Object.keys(rest["pagination"]) : []
  const extra = inside.filter((key) => !(key in expected.fields.pagination.fields)).map((key) => `pagination.${key}`)
  const found = proposeMoves([rest], { record: expected.ast, unknown: [...unknown, ...extra], deep: true })
  for (const { from, to } of found) moved[to.join(".")] = from.join(".")
  return moved
}

const findUnknownKeys = (page: CapturedPage, draft: Draft): ReadonlyArray<string> => {
  const dialect = asDialect(draft)
  const read = recordsOfPage(page, dialect)
  if (Result.isFailure(read)) return []
  const accepted = { plain: Buffer.from(page.text), text: page.text, data: read.success }
  return [...acceptPage(recordRules(dialect)[page.kind], null, accepted, () => {}).unknownKeys.keys()]
}

const recordsIn = (page: CapturedPage, draft: Draft): ReadonlyArray<unknown> =>
  Result.getOrElse(recordsOfPage(page, asDialect(draft)), () => [])

const withMoves = (draft: Draft, page: CapturedPage): Draft => {
  const dialect = asDialect(draft)
  const data = recordsIn(page, draft)
  const record = records(dialect)[page.kind].ast
  const found = proposeMoves(data, {
    record,
    // Keys of ids are handled as words.
    unknown: findUnknownKeys(page, draft).filter((path) => !/^externalIds\.[^.]+$/.test(path))
  })
  const part = page.part === "sealed" ? "products" : page.part
  const moved = { ...draft.moved[part] }
  const known = Object.entries(draft.moved["products"] ?? {}).map(([to, from]) => ({
    to: to.split("."),
    from: from.split(".")
  }))
  const others = isWordy(page.kind) ? elsewhereToo(data, record, [...known, ...found]) : []
  for (const { from, to } of [...found, ...others]) {
    for (const [there, here] of inAllBlocks(specPath(to, dialect).join("."), from.join("."))) moved[there] ??= here
  }
  return Object.keys(moved).length === 0 ? draft : { ...draft, moved: { ...draft.moved, [part]: moved } }
}

const withWords = (draft: Draft, page: CapturedPage): Draft => {
  const words = proposeWords(recordsIn(page, draft), findUnknownKeys(page, draft), asDialect(draft))
  return { ...draft, blocks: { ...words.blocks, ...draft.blocks }, ids: { ...words.ids, ...draft.ids } }
}

const feedMoves = ({ answers }: Capture): { [to: string]: string } => {
  const feeds = answers.find(({ part, status }) => part === "feeds" && status === 200)
  const json = Result.getOrUndefined(parseBody(feeds?.body ?? ""))
  if (!isObject(json)) return {}
  const unknown = Object.entries(json).flatMap(([type, about]) =>
    isObject(about) ? Object.keys(about).flatMap((key) => (key in FeedFile.fields ? [] : [`${type}.${key}`])) : []
  )
  const found = proposeMoves([json], { record: FeedFiles.ast, unknown })
  return Object.fromEntries(found.map(({ from, to }) => [to.join("."), from.join(".")]))
}

const isFilled = (value: object | undefined): boolean => value !== undefined && Object.keys(value).length > 0

/** Proposes a dialect file for review, which maps unknown keys of a capture to likely missing keys of the contract. */
export const proposeDialect = (capture: Capture, like: KnownDialect | null = null): DialectFile =>
  like === null ? closestProposal(capture) : proposalLike(capture, like)

const countRules = ({ blocks = {}, ids = {}, moved = {} }: DialectFile): number =>
  [blocks, ids, ...Object.values(moved)].reduce((sum, words) => sum + Object.keys(words).length, 0)

/** Returns the best of the proposals based on each known dialect: the best fit, then the fewest rules. */
const closestProposal = (capture: Capture): DialectFile => {
  const all = dialectNames.map((like) => {
    const file = proposalLike(capture, like)
    return { file, misfit: misfit(readParts(capture, asDialect(file))), sayings: countRules(file) }
  })
  const isBetter = (one: (typeof all)[number], best: (typeof all)[number]) =>
    one.misfit < best.misfit || (one.misfit === best.misfit && one.sayings < best.sayings)
  return all.reduce((best, one) => (isBetter(one, best) ? one : best)).file
}

const proposalLike = (capture: Capture, like: KnownDialect): DialectFile => {
  const pages = capturedPages(capture)
  const offset = [pageSizes(capture, "products"), pageSizes(capture, "expansions")].flatMap((one) => one?.given ?? [])
  const cursor = pageSizes(capture, "changelog")?.given ?? null
  const sizes = {
    ...(offset.length === 0 ? {} : { offset: Math.min(...offset) }),
    ...(cursor === null ? {} : { cursor: Math.min(cursor, 100) })
  }
  const page = Object.assign({}, ...pages.map(envelopeMoves)) as Moved[string]
  const feeds = feedMoves(capture)
  const begun: Draft = {
    name: "mine",
    like,
    moved: { ...(isFilled(page) ? { page } : {}), ...(isFilled(feeds) ? { feeds } : {}) }
  }
  const inWords = pages.filter(({ kind }) => isWordy(kind)).reduce(withWords, begun)
  // A moved key may have hidden others beside it, so every page is processed twice.
  const { blocks, ids, moved, ...rest } = [...pages, ...pages].reduce(withMoves, inWords)
  return { ...rest, ...Record.filter({ pages: sizes, blocks, ids, moved }, isFilled) } as DialectFile
}
