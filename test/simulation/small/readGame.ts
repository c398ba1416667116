import { join } from "node:path"
import { DateTime, Effect } from "effect"
import packageJson from "../../../package.json" with { type: "json" }
import { DeploymentId, type RunId, SnapshotId } from "../../../src/feed/contract/Ids.ts"
import { Disk } from "../../../src/feed/disk/Disk.ts"
import { Extraction } from "../../../src/feed/reading/Extraction.ts"
import { contractVersion, snapshotTables } from "../../../src/feed/schema/snapshotTables.ts"
import { gameReport, unreadReport } from "../../../src/night/run/commitRun.ts"
import type { GameReport } from "../../../src/night/observe/RunReport.ts"
import { makeEmpty, makeFolder, recordOfFile, removeAll, syncToDisk } from "../../../src/store/home/disk.ts"
import { heldSnapshots, storeSnapshot } from "../../../src/store/home/HeldBack.ts"
import { Home } from "../../../src/store/home/Home.ts"
import { writeJson } from "../../../src/store/home/jsonFile.ts"
import { Manifest, readSnapshot } from "../../../src/store/home/Manifest.ts"
import { diffSnapshots } from "./diffSnapshots.ts"
import { feedHere } from "./feed.ts"

interface GameOfTheNight {
  readonly gameId: string
  readonly runId: RunId
  readonly live: SnapshotId | null
}

const deploymentOf = (number: number) => DeploymentId.make(`d${number}`)

/** The only row of a game in each table. Two readings of a deployment are equal, byte for byte. */
export const rowOf = (gameId: string, deployment: number): string => `${gameId}/${deploymentOf(deployment)}`

/** The feed files of a snapshot. Every second one is the file that the snapshot before it has. */
const feedsOf = (runId: RunId, deployment: number, previous: Manifest | null): NonNullable<Manifest["feeds"]> => {
  const file = (run: RunId) => ({ checksum: "", records: 1, sha256: "", lastRefreshedAt: "", run, file: "catalog.gz" })
  const earlier = deployment % 2 === 0 ? (previous?.feeds?.catalog.run ?? runId) : runId
  return { head: deploymentOf(deployment), catalog: file(earlier), expansions: file(runId), prices: file(runId) }
}

const writePages = Effect.fnUntraced(function* ({ gameId, runId }: GameOfTheNight, deployment: number) {
  const folder = (yield* Home).raw(gameId, runId)
  const at = DateTime.formatIso(yield* DateTime.now)
  yield* makeFolder(folder)
  yield* writeJson(join(folder, "extraction.json"), Extraction, {
    gameId,
    runId,
    deploymentId: deploymentOf(deployment),
    deployedAt: at,
    startedAt: at,
    completedAt: at,
    rounds: 1,
    products: 1,
    expansions: 1,
    refused: 0,
    unknownKeys: [],
    pages: []
  })
  return at
})

/** Stages a snapshot of small values: each table has one row. */
const stage = Effect.fnUntraced(function* (
  { gameId, live, runId }: GameOfTheNight,
  deployment: number,
  { extractedAt, previous }: { readonly extractedAt: string; readonly previous: Manifest | null }
) {
  const folder = join((yield* Home).work(runId), gameId, "snapshot")
  const disk = yield* Disk
  yield* makeEmpty(folder)
  const row = JSON.stringify([rowOf(gameId, deployment)])
  const tables: Record<string, Manifest["tables"][string]> = {}
  const files = snapshotTables.map(({ name }) => join(folder, `${name}.parquet`))
  yield* Effect.sync(() => files.forEach((file) => disk.writeNow(file, [Buffer.from(row)])))
  for (const [index, { name }] of snapshotTables.entries()) {
    const file = files[index] ?? ""
    tables[name] = { rows: 1, ...(yield* recordOfFile(file)) }
    yield* syncToDisk(file)
  }
  const manifest: Manifest = {
    snapshot: SnapshotId.make(runId),
    gameId,
    runId,
    via: "feeds",
    feeds: feedsOf(runId, deployment, previous),
    deploymentId: deploymentOf(deployment),
    deployedAt: extractedAt,
    extractedAt,
    previous: live,
    feedBefore: previous === null ? null : { deploymentId: previous.deploymentId, lastSequence: previous.lastSequence },
    contractVersion,
    cardlakeVersion: packageJson.version,
    lastSequence: deployment,
    rounds: 1,
    refused: 0,
    drift: { keys: 0, records: 0 },
    tables,
    checks: []
  }
  yield* writeJson(join(folder, "manifest.json"), Manifest, manifest)
  return { folder, manifest }
})

const read = Effect.fnUntraced(function* (options: GameOfTheNight) {
  const { gameId, live, runId } = options
  const home = yield* Home
  const previous = live === null ? null : yield* readSnapshot(home.snapshot(gameId, live))
  const { deployment = 1, isOdd = false } = feedHere.feed.games.get(gameId) ?? {}
  if (feedHere.feed.broken.has(gameId))
    return unreadReport({ gameId, verdict: "failed", reason: "no answer", snapshot: live, seconds: 0 })
  const extractedAt = yield* writePages(options, deployment)
  const unchanged = Effect.gen(function* () {
    yield* removeAll("Remove the pages", [home.raw(gameId, runId)])
    const manifest = (previous ?? (yield* Effect.die("nothing was read"))).manifest
    return gameReport({ verdict: "unchanged", manifest, diff: null, previous, reasons: [] })
  })
  if (previous?.manifest.deploymentId === deploymentOf(deployment)) return yield* unchanged
  const held = (yield* heldSnapshots(gameId)).at(-1)
  const isSameHold =
    held?.manifest.previous === live && held.manifest.deploymentId === deploymentOf(deployment) && isOdd
  if (held !== undefined && isSameHold) {
    yield* removeAll("Remove the pages", [home.raw(gameId, runId)])
    return gameReport({ verdict: "held", manifest: held.manifest, diff: null, previous, reasons: [] })
  }
  const staged = yield* stage(options, deployment, { extractedAt, previous: previous?.manifest ?? null })
  const changes = join(home.work(runId), gameId, "changes")
  const diff = previous === null ? null : yield* diffSnapshots(previous, staged, changes)
  yield* storeSnapshot(staged, diff === null ? null : changes, { reasons: isOdd ? ["it looks wrong"] : [] })
  const verdict = isOdd ? "held" : "published"
  return gameReport({ verdict, manifest: staged.manifest, diff, previous, reasons: [] })
})

/** Reads a game of small values, in the order of steps in which a night stores one. */
export const readGame = (options: GameOfTheNight) =>
  read(options).pipe(
    Effect.map((report): GameReport => ({ ...report, seconds: 0 })),
    Effect.catch((error: { readonly message: string }) =>
      Effect.succeed(
        unreadReport({
          gameId: options.gameId,
          verdict: "failed",
          reason: error.message,
          snapshot: options.live,
          seconds: 0
        })
      )
    )
  )
