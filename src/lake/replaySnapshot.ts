import { Effect } from "effect"
import { readExtraction } from "../extract/readExtraction.ts"
import { Home } from "./Home.ts"
import { loadSnapshot, type SnapshotFolder } from "./loadSnapshot.ts"
import type { FeedBefore, Manifest } from "./Manifest.ts"
import { readRawPage } from "./readRawPage.ts"
import { readSnapshot } from "./snapshots.ts"

/** What was known of the game's changelog when a snapshot was made. The first manifests do not say; then the snapshot before does. */
export const feedBefore = Effect.fnUntraced(function* ({ feedBefore: known, gameId, previous }: Manifest) {
  if (known !== undefined) return known
  if (previous === null) return null
  const { manifest } = yield* readSnapshot((yield* Home).snapshot(gameId, previous))
  return { deploymentId: manifest.deploymentId, lastSequence: manifest.lastSequence } satisfies FeedBefore
})

/** The extraction that a snapshot was made from, every page checked against the hash it came with. */
export const extractionOf = Effect.fnUntraced(function* ({ gameId, runId }: Manifest) {
  const folder = (yield* Home).raw(gameId, runId)
  const extraction = yield* readExtraction(folder)
  yield* Effect.forEach(extraction.pages, (page) => readRawPage(folder, page), { discard: true })
  return extraction
})

/**
 * Makes a snapshot again from its raw pages, in the work folder of the run, and answers table by table whether it has the bytes on record.
 * Another version of Cardlake or of DuckDB may write other bytes for the same rows. Design: decision 3.
 */
export const replaySnapshot = Effect.fn("replaySnapshot")(function* (run: string, { manifest }: SnapshotFolder) {
  const extraction = yield* extractionOf(manifest)
  const again = yield* loadSnapshot(extraction, null, { workOf: run, feedBefore: yield* feedBefore(manifest) })
  return Object.entries(manifest.tables).map(([table, { rows, sha256 }]) => {
    const rebuilt = again.manifest.tables[table]
    const rebuiltRows = rebuilt?.rows ?? null
    return {
      table,
      rows,
      rebuiltRows,
      sha256,
      rebuiltSha256: rebuilt?.sha256 ?? null,
      equal: sha256 === rebuilt?.sha256
    }
  })
})
