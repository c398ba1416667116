import { Schema } from "effect"
import { CapturePart } from "../Capture.ts"
import { matching } from "../Catalogue.ts"
import { dialectNames, type Dialect, type DialectName, dialects } from "./dialects.ts"
import { pageLimits } from "../Paging.ts"
import type { KeyPath, Move } from "./moveKeys.ts"

const Word = Schema.NonEmptyString
const words = <const Names extends ReadonlyArray<string>>(names: Names) =>
  Schema.optionalKey(
    Schema.Struct(
      Object.fromEntries(names.map((name) => [name, Schema.optionalKey(Word)])) as {
        readonly [Name in Names[number]]: Schema.optionalKey<typeof Word>
      }
    )
  )

const atMost = (maximum: number) => Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum })))
const currency = Schema.optionalKey(Schema.NullOr(Word))

/** A dotted path of keys, such as `pricesByFinish.*.*.marketValue`; `*` is any key. */
const Path = Schema.String.check(
  matching(/^(?:[^.]+\.)*[^.*]+$/, "keys with dots between them, of which the last is no *")
)

/** The documents whose keys can be moved: records of a list, `page` (the envelope of records), `feeds` (the answer about feed files). */
export const MovedList = Schema.Literals([
  "page",
  ...CapturePart.literals.filter((part) => part !== "sealed" && part !== "history" && part !== "error")
])

/** A dialect as a person writes it: the differences from a known dialect. */
export const DialectFile = Schema.Struct({
  name: Schema.String.check(matching(/^[a-z][a-z0-9-]{0,39}$/, "small letters, digits and hyphens")),
  /** The base dialect, whose words apply where this one defines none. */
  like: Schema.Literals(dialectNames),
  blocks: words(["sourceEur", "sourceUsd", "marketplace"]),
  ids: words(["sourceEur", "sourceUsd", "mtgId", "mtgOracleId", "konamiStyleId", "lorcanaId", "fabId", "riftboundId"]),
  currencies: Schema.optionalKey(Schema.Struct({ sourceEur: currency, sourceUsd: currency })),
  changedIds: words(["products", "expansions"]),
  pages: Schema.optionalKey(
    Schema.Struct({ offset: atMost(pageLimits.offset.max), cursor: atMost(pageLimits.cursor.max) })
  ),
  /** By list: paths in the contract, and the paths where the service has the value. */
  moved: Schema.optionalKey(Schema.Record(MovedList, Schema.optionalKey(Schema.Record(Path, Path))))
})
export type DialectFile = typeof DialectFile.Type

/** A dialect file as documents of a home store it, so that readings do not depend on the file. The checksum is of its bytes. */
export const StoredDialect = Schema.Struct({ sha256: Schema.String, content: DialectFile })
export type StoredDialect = typeof StoredDialect.Type

/** The lists of records, and the parts of a dialect file that move their keys. */
const movedIn = {
  games: ["games"],
  expansions: ["expansions"],
  products: ["products"],
  changelog: ["changelog"],
  catalog: ["products", "catalog lines"],
  feedExpansions: ["expansions", "expansions lines"],
  prices: ["products", "prices lines"],
  page: ["page"],
  feeds: ["feeds"]
} as const

/** Returns a path of the contract with the dialect's words for price blocks and ids. */
const worded = (path: KeyPath, { blocks, ids }: Pick<Dialect, "blocks" | "ids">): KeyPath => {
  const place = path[0] === "pricesByFinish" ? 2 : path[0] === "prices" || path[0] === "externalIds" ? 1 : 0
  const words: Readonly<Record<string, string>> = path[0] === "externalIds" ? ids : blocks
  return place === 0 ? path : path.map((step, at) => (at === place ? (words[step] ?? step) : step))
}

const idWords = ["id", "productId", "expansionId"]

/** Returns the dialect that a file defines, with a name that is unique to the file. */
export const dialectFrom = (file: StoredDialect): Dialect => {
  const { content, sha256 } = file
  const like: Dialect = dialects[content.like]
  const blocks = { ...like.blocks, ...content.blocks }
  const ids = { ...like.ids, ...content.ids }
  const changedIds = { ...like.changedIds, ...content.changedIds }
  const renamed = Object.values(changedIds)
  const listMoves = (parts: ReadonlyArray<keyof NonNullable<DialectFile["moved"]>>): ReadonlyArray<Move> =>
    parts.flatMap((part) =>
      Object.entries(content.moved?.[part] ?? {}).map(([to, from]) => ({
        from: from.split("."),
        to: worded(to.split("."), { blocks, ids })
      }))
    )
  const moves = Object.entries(movedIn).map(([list, parts]) => [list, listMoves(parts)] as const)
  return {
    name: `${content.like}+${content.name}@${sha256.slice(0, 12)}` satisfies DialectName,
    blocks,
    sources: like.sources,
    currencies: { ...like.currencies, ...content.currencies },
    ids,
    changedIds,
    aliases: {
      products: {},
      changelog: Object.fromEntries(idWords.filter((word) => !renamed.includes(word)).map((word) => [word, renamed]))
    },
    moves: Object.fromEntries(moves.filter(([, all]) => all.length > 0)),
    ...(content.pages === undefined ? {} : { pages: content.pages }),
    file
  }
}

/** The part of a home's documents that records the dialect of a reading. */
export interface Worded {
  readonly dialect?: DialectName
  readonly dialectFile?: StoredDialect
}

/** Returns the dialect of a reading; the spec's if the document names none. */
export const chooseDialect = ({ dialect = "spec", dialectFile }: Worded): Dialect =>
  dialectFile === undefined ? (dialects[dialect as keyof typeof dialects] ?? dialects.spec) : dialectFrom(dialectFile)

/** Returns the record of a dialect to write into a document. */
export const wordedIn = (dialect: Dialect | null): Worded =>
  dialect === null
    ? {}
    : {
        dialect: dialect.name,
        // The value is the input of dialectFrom.
        ...(dialect.file === undefined ? {} : { dialectFile: dialect.file as StoredDialect })
      }
