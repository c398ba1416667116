import { join } from "node:path"
import { Effect, Stream } from "effect"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { privateFolder } from "../../home/disk.ts"
import { parquetFormat, scratchSession, sqlText } from "../duckdb/Lake.ts"
import type { Changes } from "./streamChanges.ts"

/** The columns of an entry as a row. A column that an entry lacks is null. */
export const entryColumns = {
  sequence: "bigint",
  game_id: "varchar",
  entity: "varchar",
  id: "bigint",
  kind: "varchar",
  field: "varchar",
  table: "varchar",
  finish: "varchar",
  source: "varchar",
  region: "varchar",
  condition: "varchar",
  language: "varchar",
  currency: "varchar",
  old: "json",
  new: "json",
  item: "json"
}

/** Writes pieces of text into a file. */
export const writeTexts = Effect.fnUntraced(function* <E, R>(
  file: string,
  pieces: Stream.Stream<string | Uint8Array, E, R>
) {
  const step = `Write ${file}`
  const out = yield* Effect.acquireRelease(
    lakeStep(step, (disk) => disk.open(file, "w")),
    (opened) => Effect.promise(() => opened.close())
  )
  yield* Stream.runForEach(pieces, (piece) => lakeStep(step, () => out.write(piece)))
}, Effect.scoped)

/** Writes entries into a file, without the last line. */
export const writeChanges = Effect.fn("writeChanges")(function* (
  { entries }: Changes,
  { file, format }: { readonly file: string; readonly format: "ndjson" | "csv" | "parquet" }
) {
  const target = format === "ndjson" ? file : join(yield* privateFolder, "changes.ndjson")
  yield* writeTexts(target, entries)
  if (format === "ndjson") return
  const session = yield* scratchSession
  const types = Object.entries(entryColumns)
    .map(([name, type]) => `"${name}": '${type}'`)
    .join(", ")
  yield* session.run("Keep the order of entries", "set preserve_insertion_order = true")
  yield* session.run(
    `Write ${file}`,
    `copy (from read_ndjson(${sqlText(target)}, columns = {${types}}))
     to ${sqlText(file)} ${format === "csv" ? "(format csv, header)" : parquetFormat()}`
  )
}, Effect.scoped)
