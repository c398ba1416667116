import { hash } from "node:crypto"
import { Result, Schema } from "effect"
import { parseBody } from "../../client/RawBody.ts"
import type { Capture } from "../../contract/Capture.ts"
import type { DialectFile } from "../../contract/DialectFile.ts"
import { dialectFrom } from "../../contract/dialectFrom.ts"
import type { Dialect, KnownDialect } from "../../contract/dialects.ts"
import { findList } from "../../contract/findList.ts"
import { FeedFile, FeedFiles } from "../../contract/FeedFile.ts"
import { OffsetPagination } from "../../contract/Paging.ts"
import { isWordy, records } from "../../contract/records.ts"
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
  dialectFrom({ sha256: hash("sha256", JSON.stringify(draft)), content: draft })

const pagination = {
  products: Schema.Struct({ pagination: OffsetPagination }),
  expansions: Schema.Struct({ pagination: OffsetPagination }),
  changelog: Schema.Struct({ pagination: Schema.Struct({ nextCursor: Schema.NullOr(Schema.NonEmptyString) }) })
} as const

/** Where a page has its list, and what it says of it. */
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
  const odd = inside.filter((key) => !(key in expected.fields.pagination.fields)).map((key) => `pagination.${key}`)
  const found = proposeMoves([rest], { record: expected.ast, unknown: [...unknown, ...odd], deep: true })
  for (const { from, to } of found) moved[to.join(".")] = from.join(".")
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
  const found = proposeMoves(recordsIn(page, draft), {
    record: records(dialect)[page.kind].ast,
    // Those of ids have words of their own.
    unknown: unknownKeysOf(page, draft).filter((path) => !/^externalIds\.[^.]+$/.test(path))
  })
  const moved = { ...draft.moved[page.part] }
  for (const { from, to } of found) {
    for (const [there, here] of inAllBlocks(inSpecWords(to, dialect).join("."), from.join("."))) moved[there] ??= here
  }
  return Object.keys(moved).length === 0 ? draft : { ...draft, moved: { ...draft.moved, [page.part]: moved } }
}

const withWords = (draft: Draft, page: CapturedPage): Draft => {
  const words = proposeWords(recordsIn(page, draft), unknownKeysOf(page, draft), asDialect(draft))
  return { ...draft, blocks: { ...words.blocks, ...draft.blocks }, ids: { ...words.ids, ...draft.ids } }
}

/** What is said of feed files under other keys. */
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

/**
 * A dialect file for what was captured: where a key that nobody knows is likely one that the contract misses, it says
 * so. It is a proposal, which a person looks through.
 */
export const proposeDialect = (capture: Capture, like: KnownDialect): DialectFile => {
  const pages = capturedPages(capture)
  const offset = [pageGiven(capture, "products"), pageGiven(capture, "expansions")].filter((one) => one !== null)
  const cursor = pageGiven(capture, "changelog")
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
  // What was moved may have hidden what is beside it.
  const { blocks, ids, moved, ...rest } = [...pages, ...pages].reduce(withMoves, inWords)
  return {
    ...rest,
    ...(isFilled(sizes) ? { pages: sizes } : {}),
    ...(isFilled(blocks) && blocks !== undefined ? { blocks } : {}),
    ...(isFilled(ids) && ids !== undefined ? { ids } : {}),
    ...(isFilled(moved) ? { moved } : {})
  }
}
