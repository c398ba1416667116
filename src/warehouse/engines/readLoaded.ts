import { readFile } from "node:fs/promises"
import { parse } from "csv-parse/sync"
import { Effect, Result, Schema } from "effect"
import type { Remembered } from "./planLoad.ts"

/** A file is not the table `cardlake_loaded` of a warehouse. */
export class LoadedUnreadable extends Schema.TaggedError<LoadedUnreadable>()("LoadedUnreadable", {
  file: Schema.String,
  what: Schema.String
}) {
  override get message() {
    return `${this.file} is not the table cardlake_loaded as CSV with a header line: ${this.what}. Write it with: select game_id, snapshot_date, table_name, sha256 from cardlake.cardlake_loaded`
  }
}

/** Some engines print a day with a time behind it. */
const Row = Schema.Struct({
  game_id: Schema.String,
  snapshot_date: Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}([T ]|$)/)),
  table_name: Schema.String,
  sha256: Schema.String
})
const decode = Schema.decodeUnknownResult(Schema.Array(Row))

/** What a warehouse has loaded. An empty file is a warehouse that has nothing yet. */
export const readLoaded = Effect.fnUntraced(function* (file: string) {
  const rows = yield* Effect.tryPromise({
    try: async () =>
      parse(await readFile(file, "utf8"), {
        bom: true,
        columns: (names: ReadonlyArray<string>) => names.map((name) => name.toLowerCase().trim()),
        skip_empty_lines: true
      }) as ReadonlyArray<unknown>,
    catch: (cause) => new LoadedUnreadable({ file, what: cause instanceof Error ? cause.message : String(cause) })
  })
  const read = decode(rows)
  if (Result.isFailure(read)) {
    return yield* new LoadedUnreadable({ file, what: String(read.failure).replaceAll(/\s+/g, " ") })
  }
  return read.success.map(({ game_id: game, sha256, snapshot_date: day, table_name: table }): Remembered => ({
    game,
    table,
    dt: day.slice(0, 10),
    sha256
  }))
})
