import { Schema } from "effect"
import { CapturePart } from "../Capture.ts"
import { matching } from "../Catalogue.ts"
import { dialectNames } from "./dialects.ts"
import { pageLimits } from "../Paging.ts"

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
