import { Order, Schema } from "effect"

/** A catalogue id (product, expansion): an integer, exact up to ±(2^53-1). Spec: Resources, Conventions. */
export const CatalogId = Schema.Int

/** A game's id: a short slug such as `fable`. Spec: Endpoints, `GET /v1/games`. */
export const GameId = Schema.NonEmptyString

/** A count of things. One check and not two, as for prices. Spec: Limits, integer range. */
// @effect-diagnostics-next-line schemaNumber:off -- only safe integers pass
export const Count = Schema.Number.check(
  Schema.makeFilter((count) => Number.isSafeInteger(count) && count >= 0, {
    expected: "an integer greater than or equal to 0",
    representation: { id: "effect/schema/isInt", payload: null },
    toJsonSchema: () => ({ type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    arbitraryConstraint: { number: "integer", order: Order.Number, minimum: 0 }
  })
)

const isoPattern = /^\d{4}-(\d{2})-(\d{2})T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/
const isInstant = (text: string): boolean => {
  const parts = isoPattern.exec(text)
  if (parts === null) return false
  const at = new Date(`${text.slice(0, 10)}T00:00:00Z`)
  // Date shifts a day that the month does not have (02-31), so it would read differently.
  return !Number.isNaN(Date.parse(text)) && at.getUTCDate() === Number(parts[2])
}

/** An ISO 8601 instant as text, so that nothing is lost: `2024-03-01T00:00:00.000Z`. Spec: Conventions. */
export const Instant = Schema.String.check(
  Schema.makeFilter(isInstant, {
    expected: "an ISO 8601 date-time such as 2024-03-01T00:00:00.000Z",
    toJsonSchema: () => ({ format: "date-time" })
  })
)

/** An instant of the service; null if it cannot be stored. A leap second is the second before it. */
export const readInstant = (value: unknown): string | null => {
  const text = typeof value === "string" ? value.replace(/:60(?=[.Z+-])/, ":59") : ""
  return isInstant(text) ? text : null
}

/** A key that may be missing or null, which mean the same: feeds write null. Beyond the spec: section 8. */
export const absent = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** A value that the contract leaves open: any JSON object. */
export const JsonObject = Schema.Record(Schema.String, Schema.Unknown)

/**
 * An ISO 8601 instant. Any text passes (the feed has sent `nullT00:00:00.000Z`): one that is not an instant
 * goes under `extra` and is reported as drift, and the column is null. Beyond the spec: section 15.
 */
export const ReleaseDate = Schema.String

/** Text of this pattern, which OpenAPI says, too. Without `expected`, a refusal shows the pattern. */
export const matching = (pattern: RegExp, expected?: string) =>
  Schema.isPattern(pattern, {
    toJsonSchema: () => ({ pattern: pattern.source }),
    ...(expected === undefined ? {} : { expected })
  })

/** A trading-card game of the marketplace. Beyond the spec: section 5. */
export const Game = Schema.Struct({
  id: GameId,
  name: Schema.String,
  releaseDate: absent(ReleaseDate),
  cardCount: absent(Count),
  sealedProductCount: absent(Count),
  logoUrl: absent(Schema.String)
}).annotate({ title: "Game", description: "A trading-card game." })

/** An expansion (never "set") of a game. Codes and slugs are not keys. Beyond the spec: section 5. */
export const Expansion = Schema.Struct({
  id: CatalogId,
  gameId: absent(GameId),
  slug: absent(Schema.String),
  name: Schema.String,
  code: Schema.NullOr(Schema.String),
  languages: absent(Schema.Array(Schema.String)),
  releaseDate: absent(ReleaseDate),
  cardCount: absent(Count),
  sealedProductCount: absent(Count),
  logoUrl: absent(Schema.String),
  symbolUrl: absent(Schema.String),
  attributes: absent(JsonObject)
}).annotate({ title: "Expansion", description: "An expansion of a game. Codes and slugs are no keys: use `id`." })
