import type { Json } from "@duckdb/node-api"
import { Effect } from "effect"
import type { SourceTitles } from "../../feed/contract/sourceTitles.ts"
import type { LakeError } from "../../feed/reading/LakeError.ts"
import { queryNamed } from "./queryNamed.ts"

/** What the lake says of those whose prices it has. */
export interface SourceNames {
  readonly titles: SourceTitles
  /** Home pages; none that a browser would not open as one. */
  readonly urls: ReadonlyMap<string, string>
}

const priceSources = queryNamed("price_sources")

type Ask = (step: string, sql: string) => Effect.Effect<ReadonlyArray<Readonly<Record<string, Json>>>, LakeError>

/** The names of an open lake. */
export const namesInLake = Effect.fnUntraced(function* (rows: Ask) {
  const named = yield* rows("Read the names of the sources", priceSources)
  const texts = (column: string) =>
    new Map(
      named.flatMap((row) => (row[column] === null ? [] : [[String(row["source"]), String(row[column])] as const]))
    )
  return { titles: texts("title"), urls: texts("url") } satisfies SourceNames
})
