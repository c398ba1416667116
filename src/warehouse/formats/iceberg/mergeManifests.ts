import type { ManifestFile } from "./manifests.ts"
import type { IcebergSpec } from "./tableSchema.ts"
import { carried, isLive, type CommitPlan, type ReadManifest } from "./planCommit.ts"

/** As Iceberg's own `commit.manifest.min-count-to-merge` and `commit.manifest.target-size-bytes`. */
const manyManifests = 100
const largeBytes = 8 * 1024 * 1024

/** Manifests that stay as they are, but are so many that one is to take their place; none = they are few. */
export const manifestsToMerge = ({ unchanged }: CommitPlan): ReadonlyArray<ManifestFile> => {
  // Others may have written manifests of deletes, or of another partitioning.
  const own = unchanged.filter(
    ({ content, manifest_length: bytes, partition_spec_id: spec }) => content === 0 && spec === 0 && bytes < largeBytes
  )
  return own.length < manyManifests ? [] : own
}

/** The plan with one manifest in the place of these. Earlier snapshots name those that they had. */
export const withMerged = (plan: CommitPlan, merged: ReadonlyArray<ReadManifest>, spec: IcebergSpec): CommitPlan => {
  const gone = new Set(merged.map(({ manifest }) => manifest))
  const entries = merged.flatMap(({ entries: own, manifest }) =>
    (own ?? []).filter(isLive).map((entry) => carried(entry, manifest, null))
  )
  return {
    ...plan,
    written: [...plan.written, { spec, entries }],
    unchanged: plan.unchanged.filter((manifest) => !gone.has(manifest))
  }
}
