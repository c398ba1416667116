import { Effect } from "effect"
import { type DropAt, tableName } from "../../drop/Drop.ts"
import type { ExportTable } from "../../drop/exportTables.ts"
import { findMissingDays, type LiveFile, type ReadTable } from "../../drop/readBack.ts"
import type { Catalogue } from "./Catalogue.ts"
import { evolvedSchema } from "./evolvedSchema.ts"
import { liveFile, readManifest, readManifestList } from "./readManifests.ts"
import { status } from "./manifests.ts"
import { currentSnapshot, type Snapshot } from "./TableMetadata.ts"

/** True if a commit removed a day. The commit's other files are replacements of files that also had other days. */
const isEmptied = (summary: Snapshot["summary"]) =>
  summary.operation === "delete" || summary["cardlake.emptied"] === "true"

export const readIceberg = Effect.fnUntraced(function* (
  { stage, to }: DropAt,
  catalogue: Catalogue,
  table: ExportTable
) {
  const name = tableName(table)
  const found = yield* catalogue.find(table)
  if (found === null) return null
  yield* evolvedSchema(table, found)
  const live: Array<LiveFile> = []
  const manifests = new Set<string>()
  const readEntries = Effect.fnUntraced(function* (snapshot: Snapshot | null) {
    const unread = (yield* readManifestList(to, stage, name, snapshot)).filter(
      ({ manifest_path: path }) => !manifests.has(path)
    )
    for (const { manifest_path: path } of unread) manifests.add(path)
    return (yield* Effect.forEach(unread, (manifest) => readManifest(to, stage, name, manifest))).flat()
  })
  const ever = new Set<string>()
  const current = currentSnapshot(found.metadata)
  for (const { data_file: file, status: did } of yield* readEntries(current)) {
    const own = yield* liveFile(to, name, table, file)
    ever.add(own.path)
    if (did !== status.deleted) live.push(own)
  }
  const snapshots = (found.metadata.snapshots ?? []).toSorted((a, b) => a["sequence-number"] - b["sequence-number"])
  const commits = snapshots.map(({ summary }) => ({ facts: summary, isEmptied: isEmptied(summary) }))

  /** Searches from the newest snapshot back until all are found, because the current one references most files. */
  const named = Effect.fnUntraced(function* (paths: ReadonlyArray<string>) {
    for (const snapshot of snapshots.toReversed()) {
      if (paths.every((path) => ever.has(path))) break
      if (snapshot === current) continue
      for (const { data_file: file } of yield* readEntries(snapshot)) {
        ever.add(file.file_path.slice(to.root.length + 1))
      }
    }
    return paths.filter((path) => ever.has(path))
  })
  return { live, absent: findMissingDays(live, commits), named } satisfies ReadTable
})
