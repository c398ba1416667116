import { Schema, SchemaTransformation } from "effect"
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

const whole = (from: number, to: number) =>
  Schema.String.check(Schema.isPattern(/^\d{1,16}$/)).pipe(
    Schema.decodeTo(
      Schema.Int.check(Schema.isBetween({ minimum: from, maximum: to })),
      SchemaTransformation.numberFromString
    )
  )

/** The number of a publication; 0 is before the first one. */
const Sequence = whole(0, Number.MAX_SAFE_INTEGER)

/** Where a consumer starts again: it loads these tables as of a publication, then asks for what follows. */
const Restart = Schema.Struct({ sequence: Schema.Int, tables: Schema.Array(Schema.String) })

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

/** Answers with a problem that no operation declares. */
export const problem = (status: number, title: string, detail: string) =>
  ProblemDetails.toResponse({ type: ProblemDetails.blankType, status, title, detail })

const Row = Schema.Record(Schema.String, Schema.Json)
const Rows = Schema.Array(Row)

const Entry = Schema.StructWithRest(
  Schema.Struct({
    sequence: Schema.Int,
    game_id: Schema.String,
    entity: Schema.String,
    /** Absent for a game. */
    id: Schema.optionalKey(Schema.Json),
    kind: Schema.String
  }),
  [Row]
).annotate({ title: "Change", description: "A change of a publication, as cardlake changes prints it" })

const Next = Schema.Struct({ next: Schema.Int }).annotate({ description: "The last line: `since` of the next request" })

const changes = HttpApiEndpoint.get("changes", "/v1/changes", {
  query: {
    since: Sequence,
    /** An answer has whole publications: it ends after the one that reaches this number of changes. */
    limit: Schema.optionalKey(whole(1, 100_000)),
    /** Seconds to wait for a change if there is none. */
    wait: Schema.optionalKey(whole(0, 60)),
    /** Ids, separated by commas. */
    games: Schema.optionalKey(Schema.String)
  },
  success: [
    Schema.Struct({ changes: Schema.Array(Entry), next: Schema.Int }),
    HttpApiSchema.StreamNdjson({ schema: Schema.Union([Entry, Next]) })
  ],
  error: [NotFound, Gone, Busy]
}).annotate(OpenApi.Summary, "What changed after a publication, in order, and the number to ask for next")

const publications = HttpApiEndpoint.get("publications", "/v1/publications", {
  query: { since: Schema.optionalKey(Sequence), limit: Schema.optionalKey(whole(1, 10_000)) },
  success: Schema.Struct({ publications: Rows, next: Schema.Int }),
  error: Busy
}).annotate(OpenApi.Summary, "The publications after one, oldest first")

const product = HttpApiEndpoint.get("product", "/v1/products/:game/:id", {
  params: { game: Schema.String, id: Schema.String.check(Schema.isPattern(/^\d{1,16}$/)) },
  success: Schema.Struct({ sequence: Schema.Int, product: Row, prices: Rows, marketplace_prices: Rows, series: Rows }),
  error: [NotFound, Busy]
}).annotate(OpenApi.Summary, "A product with its prices, and its market value of every day")

const table = HttpApiEndpoint.get("table", "/v1/tables/:name/:file", {
  params: { name: Schema.String, file: Schema.String },
  query: { sequence: Schema.optionalKey(Sequence) },
  success: HttpApiSchema.StreamUint8Array({ contentType: ["application/vnd.apache.parquet", "application/x-ndjson"] }),
  error: [NotFound, Gone, Busy]
}).annotate(OpenApi.Summary, "A game's table as of a publication; the file is {game}.parquet or {game}.ndjson")

/** What `cardlake serve` answers. Every answer only reads. */
export class ServeApi extends HttpApi.make("cardlake")
  .add(HttpApiGroup.make("lake").add(changes, publications, product, table))
  .middleware(HttpApiMiddleware.ProblemDetails)
  .annotate(OpenApi.Title, "Cardlake") {}
