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

/** Keys with dots between, such as `pricesByFinish.*.*.marketValue`; `*` is any key. */
const Path = Schema.String.check(
  matching(/^(?:[^.]+\.)*[^.*]+$/, "keys with dots between them, of which the last is no *")
)

/** What can be elsewhere: a list's records, `page`: what is around them, `feeds`: what is said of feed files. */
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
  /** By list, where the contract has a value, and where the service has it. */
  moved: Schema.optionalKey(Schema.Record(MovedList, Schema.optionalKey(Schema.Record(Path, Path))))
})
export type DialectFile = typeof DialectFile.Type

/** As documents of a home have it, so that what was read by it can be read without it; the sum is of the file's bytes. */
export const StoredDialect = Schema.Struct({ sha256: Schema.String, content: DialectFile })
export type StoredDialect = typeof StoredDialect.Type
