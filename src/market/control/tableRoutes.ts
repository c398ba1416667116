import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Count } from "../../contract/Catalogue.ts"
import { NotFound } from "../../contract/Errors.ts"

const Cell = Schema.NullOr(Schema.Union([Schema.String, Schema.Finite]))

/** The tables of the state, as they are kept. Hashes of keys and secrets of webhooks are left out. */
export const tableRoutes = HttpApiGroup.make("controlTables").add(
  HttpApiEndpoint.get("tables", "/sandbox/tables", {
    success: Schema.Struct({ data: Schema.Array(Schema.Struct({ name: Schema.String, rows: Count })) })
  }).annotate(OpenApi.Summary, "The tables of the state, and how many rows each has"),
  HttpApiEndpoint.get("table", "/sandbox/tables/:name", {
    params: { name: Schema.String },
    success: Schema.Struct({ columns: Schema.Array(Schema.String), rows: Schema.Array(Schema.Array(Cell)) }),
    error: NotFound
  }).annotate(OpenApi.Summary, "A table of the state as it is kept, without hashes of keys and secrets of webhooks")
)
