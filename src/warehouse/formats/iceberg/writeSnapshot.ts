import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Clock, Effect } from "effect"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import type { Destination } from "../../destination/Destination.ts"
import type { Catalogue, CatalogueTable } from "./Catalogue.ts"
import { manifestBytes, manifestFileOf, manifestListBytes, type ManifestFile } from "./manifests.ts"
import { manifestsToMerge, withMerged } from "./mergeManifests.ts"
import type { CommitPlan, ReadManifest } from "./planCommit.ts"
import { readManifest } from "./readManifests.ts"
import { snapshotSummary } from "./snapshotSummary.ts"
import { committed, type TableCommit } from "./TableCommit.ts"
import { currentSnapshot, type Snapshot } from "./TableMetadata.ts"
import type { IcebergSpec } from "./tableSchema.ts"

/** A plan, and what goes with it. */
export interface NewSnapshot extends Pick<TableCommit, "schema" | "spec"> {
  readonly id: number
  readonly plan: CommitPlan
  readonly daySpec: IcebergSpec
  readonly facts: Readonly<Record<string, string>>
}

/** Writes a plan's manifests and commits them as a snapshot. Returns the table after it. */
export const writeSnapshot = Effect.fnUntraced(function* (
  to: Destination,
  catalogue: Catalogue,
  stage: string,
  found: CatalogueTable,
  { daySpec, facts, id, plan: planned, schema, spec }: NewSnapshot
) {
  const { metadata, name } = found
  const present = currentSnapshot(metadata)
  const putBytes = Effect.fnUntraced(function* (path: string, made: () => Promise<Buffer>) {
    const staged = join(stage, "metadata.avro")
    const bytes = yield* lakeStep(`Make ${to.root}/${path}`, async () => {
      const content = await made()
      await writeFile(staged, content)
      return content.length
    })
    yield* to.put(path, staged)
    return bytes
  })

  // So that a query need not read ever more manifests, many of them become one.
  const many = manifestsToMerge(planned)
  const merged = yield* Effect.forEach(many, (manifest) =>
    Effect.map(readManifest(to, stage, name, manifest), (entries): ReadManifest => ({ manifest, entries }))
  )
  const plan = many.length === 0 ? planned : withMerged(planned, merged, daySpec)
  const list = `${name}/metadata/snap-${id}.avro`
  const parent = present?.["snapshot-id"] ?? null
  const snapshot: Snapshot = {
    "snapshot-id": id,
    ...(parent === null ? {} : { "parent-snapshot-id": parent }),
    "sequence-number": metadata["last-sequence-number"] + 1,
    "timestamp-ms": Math.max(yield* Clock.currentTimeMillis, metadata["last-updated-ms"] + 1),
    "manifest-list": `${to.root}/${list}`,
    "schema-id": schema?.["schema-id"] ?? metadata["current-schema-id"],
    summary: snapshotSummary(plan, present, facts)
  }
  const commit = { schema, spec, snapshot }
  const after = committed(metadata, commit, "")
  const written: Array<ManifestFile> = []
  for (const [index, manifest] of plan.written.entries()) {
    const path = `${name}/metadata/${id}-m${index}.avro`
    const bytes = yield* putBytes(path, () => manifestBytes(after, manifest))
    written.push(manifestFileOf(`${to.root}/${path}`, bytes, snapshot, manifest))
  }
  yield* putBytes(list, () => manifestListBytes(snapshot, parent, [...written, ...plan.unchanged]))
  return yield* catalogue.commit(found, commit)
})
