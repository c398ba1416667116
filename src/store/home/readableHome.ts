import { Effect, Schema } from "effect"
import { snapshotTables } from "../../feed/schema/snapshotTables.ts"

/** The setting names no folder, or one whose files DuckDB would miss or misread. */
export class HomeMisread extends Schema.TaggedError<HomeMisread>()("HomeMisread", {
  home: Schema.String,
  cause: Schema.String
}) {
  override get message() {
    return `The home "${this.home}" cannot be used: ${this.cause}. Choose another home with CARDLAKE_HOME or --home`
  }
}

/** Columns that the history reads from folders or files; a folder above the home would override them. */
const columns = new Set([
  "change",
  "changed",
  "game",
  "month",
  "part",
  "seen_at",
  "to",
  ...snapshotTables.flatMap((table) => table.columns.map(({ name }) => name))
])

/** Fails if a setting names no folder: it is empty, or has a `~` that no shell has replaced. */
export const namedHome = (setting: string): Effect.Effect<string, HomeMisread> => {
  const unnamed = (cause: string) => Effect.fail(new HomeMisread({ home: setting, cause }))
  if (setting.trim() === "") return unnamed("its name is empty")
  if (/^~($|\/)/.test(setting)) return unnamed("only a shell expands ~, so write the full path")
  return Effect.succeed(setting)
}

/** Fails for a path that DuckDB misreads even in quotes. */
export const readableHome = (home: string): Effect.Effect<void, HomeMisread> => {
  // DuckDB inserts a log's suffix before the first `?`, as if what follows were the query of a URL.
  if (home.includes("?"))
    return Effect.fail(new HomeMisread({ home, cause: "DuckDB cuts a path at its question mark" }))
  // It reads folders such as `month=2026-05` as columns; of two with the same name, the upper one counts.
  const column = home
    .split(/[/\\]/)
    .find((folder) => columns.has(folder.split("=", 1)[0] ?? "") && folder.includes("="))
  return column === undefined
    ? Effect.void
    : Effect.fail(new HomeMisread({ home, cause: `DuckDB takes its folder ${column} for a column of every table` }))
}
