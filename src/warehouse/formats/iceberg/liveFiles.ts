import { Effect } from "effect"
import type { Destination } from "../../destination/Destination.ts"
import { dayText } from "../../drop/dayNumber.ts"
import type { ExportTable } from "../../drop/exportTables.ts"
import type { DatedFile } from "../../drop/joinFiles.ts"
import type { KeyValue } from "./columnMaps.ts"
import type { DataFile } from "./manifests.ts"
import { pathBelow } from "./readManifests.ts"
import { dayColumnId } from "./tableSchema.ts"

const boundOf = (bounds: ReadonlyArray<KeyValue<Buffer>> | null, id: number): number | null => {
  const value = bounds?.find(({ key }) => key === id)?.value
  return value === undefined ? null : Buffer.from(value).readInt32LE()
}

/** Whether a file of several days may have this one. */
export const mayHaveDay = (table: ExportTable, { lower_bounds: lower, upper_bounds: upper }: DataFile, dt: number) => {
  const id = dayColumnId(table)
  return (boundOf(lower, id) ?? dt) <= dt && dt <= (boundOf(upper, id) ?? dt)
}

/** A file of a manifest as the drop knows it. */
export const liveFile = Effect.fnUntraced(function* (
  to: Destination,
  name: string,
  table: ExportTable,
  file: DataFile
) {
  const { file_size_in_bytes: bytes, partition, record_count: rows } = file
  const first = partition.dt ?? boundOf(file.lower_bounds, dayColumnId(table))
  return {
    game: partition.game ?? "",
    dt: partition.dt === undefined ? null : dayText(partition.dt ?? 0),
    from: dayText(first ?? 0),
    path: yield* pathBelow(to, name, file.file_path),
    rows,
    bytes,
    fault: null
  } satisfies DatedFile
})
