import { open } from "node:fs/promises"
import { Effect } from "effect"
import { dayFolder } from "../../drop/days.ts"
import { type DropAt, tableName } from "../../drop/Drop.ts"
import type { ExportTable } from "../../drop/exportTables.ts"
import type { JoinsIn, PutJoined } from "../../drop/putJoined.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import type { Destination } from "../../destination/Destination.ts"
import type { PlacedFile } from "./snapshotRows.ts"

/** A Parquet file ends with the length of its footer and a mark of four bytes. */
export const footerBytesOf = (path: string, bytes: number) =>
  lakeStep(`Read ${path}`, async () => {
    const handle = await open(path, "r")
    try {
      const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, bytes - 8)
      return buffer.readUInt32LE()
    } finally {
      await handle.close()
    }
  })

/** Where files of several days of a table are. */
export const duckLakeJoins = (at: Omit<DropAt, "drop">, table: ExportTable): JoinsIn => ({
  ...at,
  format: "DuckLake",
  table,
  dayFolder
})

/** A file of several days as the catalogue has it. */
export const placedJoined = Effect.fnUntraced(function* (
  to: Destination,
  table: ExportTable,
  { bytes, columns, path, rows }: PutJoined
) {
  const footerBytes = yield* footerBytesOf(`${to.root}/${tableName(table)}/${path}`, bytes)
  return { path, rows, bytes, columns, footerBytes, partition: null } satisfies PlacedFile
})
