import { Effect } from "effect"
import { type ExportFormat, withoutCommit } from "../../drop/ExportFormat.ts"

/** Plain Parquet by table, game and day. */
export const filesFormat: ExportFormat<"files"> = {
  name: "files",
  title: "Parquet",
  write: Effect.fnUntraced(function* (to) {
    const { placeAsFiles } = yield* Effect.promise(() => import("./placeAsFiles.ts"))
    return withoutCommit(placeAsFiles(to))
  }),
  tables: null
}
