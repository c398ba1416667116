import { Effect } from "effect"
import type { Destination } from "../destination/Destination.ts"
import { dayText } from "../drop/dayNumber.ts"
import { tableName } from "../drop/Drop.ts"
import type { DropTable } from "../drop/dropTables.ts"
import { fileFault, lostPartitions, type ReadPartition } from "../drop/readBack.ts"
import type { Catalogue } from "./Catalogue.ts"
import { evolvedSchema } from "./evolvedSchema.ts"
import { status } from "./manifests.ts"
import { pathBelow, readManifest, readManifestList } from "./readManifests.ts"
import { currentSnapshot } from "./TableMetadata.ts"

/** Reads the files of a table's current snapshot back. */
export const verifyIceberg = Effect.fnUntraced(function* (
  to: Destination,
  catalogue: Catalogue,
  stage: string,
  table: DropTable
) {
  const name = tableName(table)
  const found = yield* catalogue.find(table)
  if (found === null) return []
  yield* evolvedSchema(table, found)
  const read: Array<ReadPartition> = []
  for (const manifest of yield* readManifestList(to, stage, name, currentSnapshot(found.metadata))) {
    for (const { data_file: file, status: did } of yield* readManifest(to, stage, name, manifest)) {
      if (did === status.deleted) continue
      const { file_size_in_bytes: bytes, partition } = file
      const fault = yield* fileFault(to, stage, yield* pathBelow(to, name, file.file_path), bytes)
      const place = { game: partition.game ?? "", dt: dayText(partition.dt ?? 0) }
      read.push({ table: table.name, ...place, rows: file.record_count, bytes, fault })
    }
  }
  const commits = (found.metadata.snapshots ?? [])
    .toSorted((a, b) => a["sequence-number"] - b["sequence-number"])
    .map(({ summary }) => ({ facts: summary, isEmptied: summary.operation === "delete" }))
  return [...read, ...lostPartitions(table.name, read, commits)]
})
