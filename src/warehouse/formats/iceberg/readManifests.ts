import { readFile } from "node:fs/promises"
import { Effect } from "effect"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import type { Destination } from "../../destination/Destination.ts"
import { avroRecords } from "./avroFile.ts"
import { TableUnfit } from "../../drop/exportTables.ts"
import type { ManifestEntry, ManifestFile } from "./manifests.ts"
import type { Snapshot } from "./TableMetadata.ts"
import { isPathBelow } from "../../../feed/guard/joinBelow.ts"

/** Path below the destination of a file that a table names by its full address. */
export const pathBelow = Effect.fnUntraced(function* (to: Destination, table: string, address: string) {
  const path = address.startsWith(`${to.root}/`) ? address.slice(to.root.length + 1) : null
  if (path !== null && isPathBelow(path)) return path
  return yield* new TableUnfit({
    format: "Iceberg",
    table,
    reason: `names a file outside ${to.root}: ${address}`,
    next: "Its paths name the destination that it was made in. Export there, or to an empty destination"
  })
})

const readAvro = Effect.fnUntraced(function* <A>(to: Destination, stage: string, table: string, address: string) {
  const path = yield* pathBelow(to, table, address)
  const file = yield* to.fetch(path, stage)
  if (file === null) {
    const next = "Restore the file from a backup, or export to an empty destination"
    return yield* new TableUnfit({ format: "Iceberg", table, reason: `has lost ${address}`, next })
  }
  const bytes = yield* lakeStep(`Read ${address}`, () => readFile(file))
  return yield* Effect.tryPromise({
    try: () => avroRecords<A>(bytes),
    catch: () =>
      new TableUnfit({
        format: "Iceberg",
        table,
        reason: `has a file that is damaged, or has numbers of another program that Cardlake cannot hold: ${address}`,
        next: "Restore the file from a backup, or export to an empty destination"
      })
  })
})

/** The manifests of a table's snapshot; none = it has no snapshot yet. */
export const readManifestList = (to: Destination, stage: string, table: string, snapshot: Snapshot | null) =>
  snapshot === null ? Effect.succeed([]) : readAvro<ManifestFile>(to, stage, table, snapshot["manifest-list"])

export const readManifest = (to: Destination, stage: string, table: string, manifest: ManifestFile) =>
  readAvro<ManifestEntry>(to, stage, table, manifest.manifest_path)
