import { Effect, Layer, Schema, SchemaTransformation } from "effect"
import { ProblemDetails } from "effect/http"
import {
  HttpApi,
  HttpApiEndpoint,
  HttpApiError,
  HttpApiGroup,
  HttpApiMiddleware,
  HttpApiSchema,
  OpenApi
} from "effect/http-api"
import { Count } from "../../feed/contract/Catalogue.ts"
import { entities, priceTables } from "../../store/lake/sequence/changedTables.ts"
import { entryColumns } from "../../store/lake/sequence/streamChanges.ts"
import { publicationsTable } from "../../store/lake/history/historyTables.ts"
import { PriceSeries, productRows, rowSchema, valueSchema } from "./rowSchema.ts"
import { tableNamed } from "../../feed/schema/snapshotTables.ts"

/** A whole number in an address. */
const whole = (description: string, from: number, to: number) => {
  const bounds = { message: `must be a whole number from ${from} to ${to}, given once` }
  return Schema.String.annotate(bounds)
    .check(Schema.isPattern(/^\d{1,16}$/, bounds))
    .pipe(
      Schema.decodeTo(
        Schema.Int.check(Schema.isBetween({ minimum: from, maximum: to }, bounds)).annotate({ description }),
        SchemaTransformation.numberFromString
      )
    )
}

const text = (description: string) => Schema.String.annotate({ description, message: "must be given once" })

/** The number of a publication; 0 is before the first one. */
const sequence = (description: string) => whole(description, 0, Number.MAX_SAFE_INTEGER)

/** Returns an operation with its parameters described by their values: the generator describes their texts. */
const typedBy = (parameters: Schema.Top) =>
  OpenApi.annotations({
    transform: (operation) => {
      const { properties = {} } = Schema.toJsonSchemaDocument(Schema.toType(parameters)).schema
      const schemas = properties as Readonly<Record<string, unknown>>
      const described = operation["parameters"] as ReadonlyArray<{ readonly name: string; readonly schema: unknown }>
      return {
        ...operation,
        parameters: described.map((one) => Object.assign({}, one, { schema: schemas[one.name] ?? one.schema }))
      }
    }
  })

/** Where a consumer starts again: it loads these tables as of a publication, then asks for what follows. */
const Restart = Schema.Struct({
  sequence: Count,
  run: Schema.NullOr(Schema.String),
  tables: Schema.Array(Schema.String)
})

export class NotFound extends HttpApiError.Problem<NotFound>()("NotFound", {
  type: "urn:cardlake:not-found",
  status: 404,
  title: "Not found"
}) {}

/** The answer to a number that was pruned, never was, or whose tables are no longer there. */
export class Gone extends HttpApiError.Problem<Gone>()(
  "Gone",
  { type: "urn:cardlake:gone", status: 410, title: "Start again from the tables" },
  { restart: Restart }
) {}

/** Too many requests wait, or one took too long. */
export class Busy extends HttpApiError.Problem<Busy>()("Busy", {
  type: "urn:cardlake:busy",
  status: 503,
  title: "The server is busy"
}) {}

/** A request of another machine lacks the token of the server. */
export class Unauthorized extends HttpApiError.Problem<Unauthorized>()("Unauthorized", {
  type: ProblemDetails.blankType,
  status: 401,
  title: "The token is missing or wrong"
}) {}

/** A request names another host, or comes from a page of another site. */
export class Forbidden extends HttpApiError.Problem<Forbidden>()("Forbidden", {
  type: ProblemDetails.blankType,
  status: 403,
  title: "Host or sender not allowed"
}) {}

const everyError = [Unauthorized, Forbidden, Busy] as const

/** Answers with a problem that no operation declares. */
export const problem = (status: number, title: string, detail: string) =>
  ProblemDetails.toResponse({ type: ProblemDetails.blankType, status, title, detail })

const required = { messageMissingKey: "is missing" }
const onlyThese = { messageUnexpectedKey: "does not exist" }

const always = new Set(["sequence", "game_id", "entity", "kind"])

const Entry = Schema.Struct({
  ...Object.fromEntries(
    Object.entries(entryColumns).map(([name, type]) => {
      const value = ["region", "condition", "language"].includes(name)
        ? Schema.NullOr(valueSchema(type))
        : valueSchema(type)
      return [name, always.has(name) ? value : Schema.optionalKey(value)] as const
    })
  ),
  entity: Schema.Literals([...entities.map(({ entity }) => entity), "backfill"]),
  kind: Schema.Literals(["added", "removed", "modified", "moved"]),
  table: Schema.optionalKey(Schema.Literals(priceTables.map(({ table }) => table.name)))
}).annotate({ title: "Change", description: "A change of a publication, as cardlake changes prints it" })

const next = { next: Count, run: Schema.NullOr(Schema.String) }
const Next = Schema.Struct(next).annotate({ description: "The last line: `since` and `run` of the next request" })

/** The ETag of a file is its checksum, so a range of it can be requested, and an equal file need not be sent again. */
const fileHeaders = {
  "if-none-match": Schema.optionalKey(text("The ETag of an answer: an equal answer is 304, without a body")),
  range: Schema.optionalKey(text("A range of bytes, as `bytes=100-`: the answer is 206")),
  "if-range": Schema.optionalKey(
    text("The ETag of the reader's part: a file that has changed is answered whole, with 200")
  )
}

const etag = { etag: Schema.String.annotate({ description: "The checksum of the whole answer, in quotation marks" }) }

/** Returns the other successful answers of a file that is sent in ranges. */
const partsOfFile = (contentTypes: ReadonlyArray<string>) => [
  // Headers are declared once for a status.
  ...contentTypes.map((contentType, at) => {
    const part = Schema.Uint8Array.pipe(
      HttpApiSchema.asUint8Array({ contentType }),
      HttpApiSchema.status(206)
    ).annotate({ description: "The range of the file that header Range requests" })
    return at === 0 ? HttpApiSchema.WithHeaders(part, etag) : part
  }),
  HttpApiSchema.WithHeaders(
    HttpApiSchema.Empty(304).annotate({ description: "The answer is equal to that of If-None-Match" }),
    etag
  ),
  // As an error its empty body would be the encoding of every other error.
  HttpApiSchema.Empty(416).annotate({ description: "The file has no such range" })
]

/** The query of an operation without parameters. */
const noQuery = Schema.Record(Schema.String, Schema.Never.annotate({ message: "does not exist" }))

const ndjson = "application/x-ndjson"
const parquet = "application/vnd.apache.parquet"

const changesQuery = Schema.Struct({
  since: sequence("The number of the last publication that the reader has; 0 = none").annotateKey(required),
  run: Schema.optionalKey(
    text("The `run` that came with that number: the answer is 410 if this data directory has another publication of it")
  ),
  limit: Schema.optionalKey(
    whole("An answer has whole publications, and ends after the one that reaches this number of changes", 1, 100_000)
  ),
  wait: Schema.optionalKey(whole("Seconds to wait for a change if there is none", 0, 60)),
  games: Schema.optionalKey(text("Ids of games, separated by commas; default: all"))
}).annotate(onlyThese)
export type ChangesQuery = typeof changesQuery.Type

const changes = HttpApiEndpoint.get("changes", "/v1/changes", {
  query: changesQuery,
  headers: fileHeaders,
  success: [
    HttpApiSchema.WithHeaders(
      Schema.Struct({ changes: Schema.Array(Entry), ...next }).annotate({
        description: "The changes in order, and `since` and `run` of the next request, which as lines are the last one"
      }),
      etag
    ),
    HttpApiSchema.StreamNdjson({ schema: Schema.Union([Entry, Next]) }),
    ...partsOfFile(["application/json", ndjson])
  ],
  error: [...everyError, NotFound, Gone]
})
  .annotate(OpenApi.Summary, "What changed after a publication, in order, and the number to ask for next")
  .annotateMerge(typedBy(changesQuery))

const publicationsQuery = Schema.Struct({
  since: Schema.optionalKey(sequence("The number of the last publication that the reader has; default: 0")),
  limit: Schema.optionalKey(whole("The most numbers in an answer; default: 1000", 1, 10_000))
}).annotate(onlyThese)
export type PublicationsQuery = typeof publicationsQuery.Type

const publications = HttpApiEndpoint.get("publications", "/v1/publications", {
  query: publicationsQuery,
  success: Schema.Struct({ publications: Schema.Array(rowSchema(publicationsTable)), next: Count }).annotate({
    description: "Rows of table publications, and `next`, the `since` of the next request"
  }),
  error: [...everyError, Gone]
})
  .annotate(OpenApi.Summary, "The publications after one, oldest first")
  .annotateMerge(typedBy(publicationsQuery))

const ofProduct = Schema.Struct({
  game: text("The id of a game"),
  id: whole("The number of a product", 0, Number.MAX_SAFE_INTEGER)
})

const product = HttpApiEndpoint.get("product", "/v1/products/:game/:id", {
  params: ofProduct,
  query: noQuery,
  success: Schema.Struct({
    sequence: Count,
    product: rowSchema(tableNamed("products")),
    prices: productRows("source_prices"),
    marketplace_prices: productRows("marketplace_prices"),
    series: Schema.Array(PriceSeries)
  }).annotate({ description: "Rows of the tables of those names, as of publication `sequence`" }),
  error: [...everyError, NotFound]
})
  .annotate(OpenApi.Summary, "A product with its prices, and its market value of every day")
  .annotateMerge(typedBy(ofProduct))

const tableQuery = Schema.Struct({
  sequence: Schema.optionalKey(sequence("The number of a publication; default: the last one"))
}).annotate(onlyThese)

const table = HttpApiEndpoint.get("table", "/v1/tables/:name/:file", {
  params: { name: text("The name of a table"), file: text("{game}.parquet or {game}.ndjson") },
  query: tableQuery,
  headers: fileHeaders,
  success: [
    HttpApiSchema.WithHeaders(HttpApiSchema.StreamUint8Array({ contentType: [parquet, ndjson] }), {
      ...etag,
      "x-cardlake-sequence": Count.annotate({ description: "The number of the publication" })
    }),
    ...partsOfFile([parquet, ndjson])
  ],
  error: [...everyError, NotFound, Gone]
})
  .annotate(OpenApi.Summary, "A game's table as of a publication; the file is {game}.parquet or {game}.ndjson")
  .annotateMerge(typedBy(tableQuery))

const security = {
  token: { type: "http", scheme: "bearer", description: "The text of the server's --token-file, if it has one" }
}

/** What `cardlake serve` answers. Every answer only reads. */
export class ServeApi extends HttpApi.make("cardlake")
  .add(
    HttpApiGroup.make("lake")
      .add(changes, publications, product, table)
      .annotateEndpoints(OpenApi.Override, { security: [{}, { token: [] }] })
  )
  .middleware(HttpApiMiddleware.ProblemDetails)
  .annotate(HttpApi.QueryParseOptions, { onExcessProperty: "error", errors: "all" })
  .annotate(OpenApi.Title, "Cardlake")
  .annotate(OpenApi.Servers, [{ url: "/" }])
  .annotate(OpenApi.Description, "Follow a lake of trading cards: its changes by number, its tables, and its products")
  .annotate(OpenApi.Transform, (spec) => ({
    ...spec,
    components: { ...(spec["components"] as object), securitySchemes: security }
  })) {}

/** Reports each parameter that is wrong, and why, in the sentence of the problem. */
export const layerReasons = Layer.effect(
  HttpApiMiddleware.ProblemDetails,
  Effect.map(
    HttpApiMiddleware.ProblemDetails,
    (answer) => (app, of) =>
      Effect.catchTag(answer(app, of), "BadRequestProblem", ({ errors = [] }) => {
        const faults = errors.map(
          ({ message, path: [slot, ...names] }) =>
            `Parameter ${names.join(".")} of the ${slot === "params" ? "path" : slot} ${message}`
        )
        return Effect.fail(
          new HttpApiError.BadRequestProblem({ errors, detail: `${faults.join(". ")}. All parameters: /openapi.json` })
        )
      })
  )
).pipe(Layer.provide(HttpApiMiddleware.layerProblemDetails({ includeDetails: true })))
