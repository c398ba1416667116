import { Effect } from "effect"
import type { DropAt } from "../../drop/Drop.ts"
import type { ExportTable } from "../../drop/exportTables.ts"
import { joinFiles, type JoinSizes } from "../../drop/joinFiles.ts"
import type { Catalogue } from "./Catalogue.ts"
import { evolvedSchema, refuseForeign, chooseSpecs } from "./evolvedSchema.ts"
import { icebergJoins, joinedFile, newSnapshotId } from "./icebergTables.ts"
import { liveFile, openManifest, readManifestList } from "./readManifests.ts"
import { listLive, planCommit, writeSnapshot } from "./writeSnapshot.ts"
import { currentSnapshot } from "./TableMetadata.ts"

/** Joins a table's files of past months, in one snapshot that changes no row; null = the table does not exist. */
export const compactIceberg = Effect.fn("compactIceberg")(function* (
  at: DropAt,
  catalogue: Catalogue,
  table: ExportTable,
  sizes: JoinSizes
) {
  const { stage, to } = at
  const found = yield* catalogue.find(table)
  if (found === null) return null
  const { metadata, name } = found
  const schema = yield* evolvedSchema(table, found)
  const specs = chooseSpecs(table, found)
  const list = yield* readManifestList(to, stage, name, currentSnapshot(metadata))
  yield* refuseForeign(name, specs, list)
  const manifests = yield* Effect.forEach(list, (manifest) => openManifest(to, stage, name, manifest))
  const files = yield* Effect.forEach(listLive(manifests), (file) => liveFile(to, name, table, file))
  return yield* joinFiles({ ...at, ...icebergJoins, table }, files, sizes, (puts, replaced) => {
    const id = newSnapshotId()
    const displaced = new Set([...replaced].map((path) => `${to.root}/${path}`))
    const added = puts.map((put) => joinedFile(to, name, specs.joined, put))
    const plan = planCommit(manifests, displaced, added, { snapshotId: id, specs: [specs.day, specs.joined] })
    return writeSnapshot(to, catalogue, stage, found, {
      id,
      plan: { ...plan, operation: "replace" },
      schema,
      spec: specs.isNew ? specs.joined : null,
      daySpec: specs.day,
      facts: { "cardlake.compacted": "true" }
    })
  })
})
