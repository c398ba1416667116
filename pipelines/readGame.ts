import { rm } from "node:fs/promises"
import { join } from "node:path"
import { Clock, Effect, type Semaphore } from "effect"
import type { Page } from "../src/client/RawBody.ts"
import type { Diff } from "../src/diff/Diff.ts"
import { diffSnapshots } from "../src/diff/diffSnapshots.ts"
import { judge } from "../src/diff/judge.ts"
import { extractGame } from "../src/extract/extractGame.ts"
import { writeHeldBack } from "../src/lake/HeldBack.ts"
import { Home } from "../src/lake/Home.ts"
import { lakeStep } from "../src/lake/LakeError.ts"
import { loadSnapshot, type SnapshotFolder } from "../src/lake/loadSnapshot.ts"
import type { Manifest } from "../src/lake/Manifest.ts"
import { catalogueTables } from "../src/lake/snapshotTables.ts"
import { replace } from "../src/lake/writeFile.ts"
import type { NightProgress } from "./NightProgress.ts"
import type { GameReport } from "./RunReport.ts"

const nothing = { added: 0, removed: 0, modified: 0, modifiedCatalogue: 0, modifiedPrice: 0 }
const nothingClaimed = { confirmed: 0, claimedNotSeen: 0, seenNotClaimed: 0, unexplained: 0 }

export interface GameOfTheNight {
  readonly gameId: string
  readonly runId: string
  readonly games: Page<null>
  /** The published snapshot; null when the game has none. */
  readonly previous: SnapshotFolder | null
  /** Held while DuckDB works for the game: it uses every core for one. */
  readonly loading: Semaphore.Semaphore
  readonly onProgress: NightProgress
}

/**
 * One game of a night up to the door: extract, load, compare with the published snapshot, judge. A `published` verdict means that the
 * snapshot lies in the home and waits for the lake to be swapped. Never fails: what goes wrong is the game's verdict.
 */
export const readGame = Effect.fnUntraced(function* (options: GameOfTheNight) {
  const startedAt = yield* Clock.currentTimeMillis
  const seconds = Effect.map(Clock.currentTimeMillis, (now) => (now - startedAt) / 1000)
  const stopped = (verdict: "held" | "failed") => (error: { readonly message: string }) =>
    Effect.map(seconds, (seconds): GameReport => ({
      gameId: options.gameId,
      verdict,
      reason: error.message,
      deploymentId: null,
      snapshot: options.previous?.manifest.snapshot ?? null,
      products: null,
      expansions: null,
      prices: null,
      externalIds: null,
      refused: null,
      changes: null,
      reconciliation: null,
      seconds
    }))
  const report = yield* read(options).pipe(
    Effect.flatMap((report) => Effect.map(seconds, (seconds): GameReport => ({ ...report, seconds }))),
    Effect.catchTag(["Torn", "CensusMismatch"], stopped("held")),
    Effect.catch(stopped("failed"))
  )
  options.onProgress({ gameId: options.gameId, stage: report.verdict })
  return report
})

const read = Effect.fnUntraced(function* (options: GameOfTheNight) {
  const { gameId, loading, onProgress, previous, runId } = options
  const home = yield* Home
  const folder = home.raw(gameId, runId)
  const extraction = yield* extractGame({
    gameId,
    runId,
    folder,
    games: options.games,
    previousDeploymentId: previous?.manifest.deploymentId ?? null,
    onProgress: (progress) => onProgress({ ...progress, stage: "reading" })
  })
  return yield* loading.withPermit(
    Effect.gen(function* () {
      onProgress({ gameId, stage: "loading", records: extraction.products })
      const staged = yield* loadSnapshot(extraction, previous?.manifest ?? null)
      if (previous !== null && sameContent(previous.manifest, staged.manifest)) {
        yield* lakeStep(`Remove ${folder}`, () => rm(folder, { recursive: true, force: true }))
        return reportOf("unchanged", previous.manifest, null, null, [])
      }
      if (previous !== null) onProgress({ gameId, stage: "comparing", records: extraction.products })
      const diffFolder = join(home.work(runId), gameId, "changes")
      const diff = previous === null ? null : yield* diffSnapshots(previous, staged, diffFolder)
      const reasons = yield* judge(previous, staged, diff)
      if (reasons.length > 0) yield* writeHeldBack(staged.folder, reasons)
      if (diff !== null) yield* replace(diffFolder, home.changes(gameId, runId))
      yield* replace(staged.folder, home.snapshot(gameId, runId))
      return reportOf(reasons.length > 0 ? "held" : "published", staged.manifest, diff, previous, reasons)
    })
  )
})

/** Two readings of the same state write the same bytes. */
const sameContent = (a: Manifest, b: Manifest): boolean =>
  a.deploymentId === b.deploymentId &&
  a.contractVersion === b.contractVersion &&
  [...catalogueTables].every((table) => a.tables[table]?.sha256 === b.tables[table]?.sha256)

const reportOf = (
  verdict: "published" | "unchanged" | "held",
  manifest: Manifest,
  diff: Diff | null,
  previous: SnapshotFolder | null,
  reasons: ReadonlyArray<string>
): Omit<GameReport, "seconds"> => {
  const rows = (table: string) => manifest.tables[table]?.rows ?? 0
  const first = verdict !== "unchanged" && previous === null
  return {
    gameId: manifest.gameId,
    verdict,
    reason:
      reasons.length === 0
        ? null
        : `${reasons.join("; ")}. Look at snapshot ${manifest.snapshot} before it is published: cardlake diff ${manifest.gameId}`,
    deploymentId: manifest.deploymentId,
    snapshot: verdict === "held" ? (previous?.manifest.snapshot ?? null) : manifest.snapshot,
    products: rows("products"),
    expansions: rows("expansions"),
    prices: rows("source_prices") + rows("marketplace_prices"),
    externalIds: rows("external_ids"),
    refused: manifest.refused,
    changes: diff?.changes ?? {
      products: { ...nothing, added: first ? rows("products") : 0 },
      expansions: { ...nothing, added: first ? rows("expansions") : 0 }
    },
    reconciliation: diff === null ? nothingClaimed : diff.reconciliation
  }
}
