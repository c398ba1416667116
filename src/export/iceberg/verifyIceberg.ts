import { stat } from "node:fs/promises"
import { basename } from "node:path"
import { Effect } from "effect"
import { lakeStep } from "../../lake/duckdb/LakeError.ts"
import { fileSha256 } from "../../lake/home/disk.ts"
import type { Destination } from "../destination/Destination.ts"
import type { DropTable } from "../drop/dropTables.ts"
import { dayText } from "./boundBytes.ts"
import type { Catalogue } from "./Catalogue.ts"
import { status, type DataFile } from "./manifests.ts"
import { pathBelow, readManifest, readManifestList } from "./readManifests.ts"
import { currentSnapshot, type Snapshot } from "./TableMetadata.ts"
import { icebergName } from "./tableSchema.ts"

/** A partition of an Iceberg table as it was read back; `fault` null = it is right. */
export interface ReadPartition {
  readonly table: string
  readonly game: string
  readonly dt: string
  readonly rows: number
  readonly bytes: number
  readonly fault: string | null
}

/** Days of games that a snapshot put there last, so that they are there still unless somebody rolled the table back. */
const putThere = (snapshots: ReadonlyArray<Snapshot>): ReadonlyArray<readonly [game: string, dt: string]> => {
  const last = new Map<string, Snapshot["summary"]>()
  for (const { summary } of snapshots.toSorted((a, b) => a["sequence-number"] - b["sequence-number"])) {
    if (summary["cardlake.dt"] !== undefined) last.set(`${summary["cardlake.dt"]} ${summary["cardlake.game"]}`, summary)
  }
  return [...last.values()]
    .filter((summary) => summary["operation"] !== "delete")
    .map((summary) => [summary["cardlake.game"] ?? "", summary["cardlake.dt"] ?? ""])
}

/** Reads the files of a table's present snapshot back: each is named by its sha256. */
export const verifyIceberg = Effect.fnUntraced(function* (
  to: Destination,
  catalogue: Catalogue,
  stage: string,
  table: DropTable
) {
  const name = icebergName(table)
  const found = yield* catalogue.find(table)
  if (found === null) return []
  const read: Array<ReadPartition> = []

  const faultOf = Effect.fnUntraced(function* (file: DataFile) {
    const local = yield* to.fetch(yield* pathBelow(to, name, file.file_path), stage)
    if (local === null) return "its file is gone"
    const { size } = yield* lakeStep(`Look at ${local}`, () => stat(local))
    if (size !== file.file_size_in_bytes) return `its file has ${size} bytes instead of ${file.file_size_in_bytes}`
    const [, sha256] = /^([0-9a-f]{64})\.parquet$/.exec(basename(file.file_path)) ?? []
    // A file that another program wrote, when it made one of several, has another name.
    return sha256 === undefined || (yield* fileSha256(local)) === sha256 ? null : "its file has a different sha256"
  })

  for (const manifest of yield* readManifestList(to, stage, name, currentSnapshot(found.metadata))) {
    for (const { data_file: file, status: did } of yield* readManifest(to, stage, name, manifest)) {
      if (did === status.deleted) continue
      const place = { game: file.partition.game ?? "", dt: dayText(file.partition.dt ?? 0) }
      const size = { rows: file.record_count, bytes: file.file_size_in_bytes }
      read.push({ table: table.name, ...place, ...size, fault: yield* faultOf(file) })
    }
  }
  const there = new Set(read.map(({ dt, game }) => `${dt} ${game}`))
  for (const [game, dt] of putThere(found.metadata.snapshots ?? [])) {
    if (there.has(`${dt} ${game}`)) continue
    read.push({ table: table.name, game, dt, rows: 0, bytes: 0, fault: "its rows are no longer in the table" })
  }
  return read
})
