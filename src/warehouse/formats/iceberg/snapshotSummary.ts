import type { CommitPlan } from "./planCommit.ts"
import type { DataFile } from "./manifests.ts"
import type { Snapshot } from "./TableMetadata.ts"

const sum = (files: ReadonlyArray<DataFile>, figure: "file_size_in_bytes" | "record_count") =>
  files.reduce((total, file) => total + file[figure], 0)

/** A snapshot's summary: its counts under the format's names, what it is of under ours. */
export const snapshotSummary = (
  { added, deleted, operation }: CommitPlan,
  before: Snapshot | null,
  facts: Readonly<Record<string, string>>
): Snapshot["summary"] => {
  const figures = {
    "data-files": [added.length, deleted.length],
    records: [sum(added, "record_count"), sum(deleted, "record_count")],
    "files-size": [sum(added, "file_size_in_bytes"), sum(deleted, "file_size_in_bytes")]
  } as const
  const told: Record<string, string> = {}
  for (const [name, [more, less]] of Object.entries(figures)) {
    const had = Number(before?.summary[`total-${name}`] ?? 0)
    if (more > 0) told[`added-${name}`] = String(more)
    if (less > 0) told[name === "files-size" ? "removed-files-size" : `deleted-${name}`] = String(less)
    told[`total-${name}`] = String(had + more - less)
  }
  return {
    operation,
    ...told,
    "changed-partition-count": String(
      new Set([...added, ...deleted].map(({ partition: { dt, game } }) => `${game} ${dt}`)).size
    ),
    "total-delete-files": "0",
    "total-position-deletes": "0",
    "total-equality-deletes": "0",
    ...facts
  }
}
