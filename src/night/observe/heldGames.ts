import { Effect } from "effect"
import type { SnapshotId } from "../../feed/contract/Ids.ts"
import { runMillis } from "../../store/home/newRunId.ts"
import { Home, readCurrent, type Current } from "../../store/home/Home.ts"
import { type Manifest, gamesWithSnapshots, readableSnapshot } from "../../store/home/Manifest.ts"
import { readExtraction } from "../../feed/reading/readExtraction.ts"
import { dialectOfKeys } from "../../feed/rows/detectDialect.ts"
import { adviceText, heldLines } from "../../store/diff/heldAdvice.ts"
import { type HeldSnapshot, heldSnapshots } from "../../store/home/HeldBack.ts"
import { listRuns, type GameReport, type RunReport } from "./RunReport.ts"

const findNewest = (ids: ReadonlyArray<string>): string => ids.reduce((newest, id) => (id > newest ? id : newest), "")

const publishedIds = ({ games, history }: Current, gameId: string): ReadonlyArray<SnapshotId> => [
  ...(games[gameId]?.published ?? []),
  ...history.filter((step) => step.gameId === gameId).map((step) => step.snapshot)
]

/** Returns the runs in which a person published a held snapshot or a correction. */
const stepsByHand = ({ history }: Current, gameId: string): ReadonlyArray<string> =>
  history
    .filter((step) => step.gameId === gameId && (step.kind === "release" || step.kind === "replay"))
    .map(({ run }) => run)

/** Returns the dialect that knows a held snapshot's unknown keys; null if none does. */
const wordsSince = Effect.fnUntraced(
  function* ({ dialect = "spec", gameId, runId }: Manifest) {
    const { unknownKeys } = yield* readExtraction((yield* Home).raw(gameId, runId))
    const found = dialectOfKeys(unknownKeys.filter(({ kind }) => kind === "products").map(({ path }) => path))
    return found === dialect ? null : found
  },
  // A reading without its raw pages cannot be repeated.
  Effect.orElseSucceed(() => null)
)

/** Returns the time of the newest published reading. A replay publishes an earlier reading. */
const lastReadMillis = Effect.fnUntraced(function* (current: Current, gameId: string) {
  const home = yield* Home
  const replayed = new Set<string>(
    current.history.filter((step) => step.gameId === gameId && step.kind === "replay").map(({ snapshot }) => snapshot)
  )
  const millis = yield* Effect.forEach(publishedIds(current, gameId), (id) =>
    replayed.has(id)
      ? Effect.map(readableSnapshot(home.snapshot(gameId, id)), (found) =>
          found === null ? runMillis(id) : Date.parse(found.manifest.extractedAt)
        )
      : Effect.succeed(runMillis(id))
  )
  return Math.max(0, ...millis.map((one) => one ?? 0))
})

type Held = Pick<GameReport, "reason" | "reasons">

/** `reason` has all reasons, and ends with the commands to inspect and release the game. */
const pickReason = ({ reason, reasons = [] }: Held) => ({ reason: reason ?? "", reasons })

/**
 * Returns the three lines about a held snapshot. If its mark is unreadable, those of the run's report. `again` are those
 * of the last night that found the same state and held it: limits and the published snapshot may differ since.
 */
const findReason = Effect.fnUntraced(function* (
  held: HeldSnapshot,
  runs: ReadonlyArray<RunReport>,
  again: Held | undefined
) {
  const { manifest } = held
  const reported = runs
    .find(({ run }) => run === manifest.snapshot)
    ?.games.find(({ gameId }) => gameId === manifest.gameId)
  if (held.reasons.length === 0 && reported != null) return pickReason(reported)
  const known = yield* wordsSince(manifest)
  return again !== undefined && known === null
    ? pickReason(again)
    : { reason: adviceText(heldLines(manifest, held, known)), reasons: held.reasons }
})

const heldGame = Effect.fnUntraced(function* (gameId: string, current: Current, runs: ReadonlyArray<RunReport>) {
  const nights = runs
    .filter(({ kind }) => kind === "nightly")
    .flatMap(({ games, run }) => games.flatMap((game) => (game.gameId === gameId ? [{ ...game, run }] : [])))
  const published = findNewest(publishedIds(current, gameId))
  const waiting = (yield* heldSnapshots(gameId)).filter(({ manifest }) => manifest.snapshot > published)
  const accepted = nights.filter(({ verdict }) => verdict === "published" || verdict === "unchanged")
  const good = findNewest([published, ...accepted.map(({ run }) => run)])
  const unchanged = findNewest(accepted.map(({ run }) => run))
  const readMillis = yield* lastReadMillis(current, gameId)
  // A published reading does not replace a later one that left no snapshot.
  const isLater = (run: string) => run > unchanged && (runMillis(run) ?? 0) > readMillis
  // A hold ends when a night finds what a person has published since.
  const settled = findNewest([good, ...stepsByHand(current, gameId)])
  const held = nights.filter(
    ({ products, run, verdict }) => verdict === "held" && (products === null ? isLater(run) : run > settled)
  )
  const stored = waiting.map(({ manifest }) => manifest.snapshot).filter((id) => id > good)
  // A night that finds a held state again stores no second snapshot.
  const isStored = stored.length > 0 || held.some(({ products }) => products !== null)
  const newest = isStored ? waiting.at(-1) : undefined
  const snapshotRun = newest?.manifest.snapshot ?? ""
  const again = held.find(({ products, run }) => products !== null && run > snapshotRun)
  const ids = [...held.map(({ run }) => run), ...stored]
  const instants = ids.flatMap((id) => runMillis(id) ?? [])
  if (instants.length === 0) return []
  return [
    {
      gameId,
      /** The newest held snapshot; null if the pages were inconsistent, so there is none. */
      snapshot: newest?.manifest.snapshot ?? null,
      deploymentId: newest?.manifest.deploymentId ?? null,
      /** Start of the first and of the last held night. */
      sinceMillis: Math.min(...instants),
      readMillis: Math.max(...instants),
      ...(newest === undefined ? pickReason(held[0] ?? { reason: null }) : yield* findReason(newest, runs, again))
    }
  ]
})

/** A game whose last reading was held, with nothing published since. */
export type HeldGame = Effect.Success<ReturnType<typeof heldGame>>[number]

export const findHeldGame = Effect.fnUntraced(function* (gameId: string) {
  const [held] = yield* heldGame(gameId, yield* readCurrent, yield* listRuns)
  return held ?? null
})

/** The held games, according to snapshots and readable reports. */
export const heldGames = Effect.gen(function* () {
  const current = yield* readCurrent
  const runs = yield* listRuns
  const reported = runs.flatMap(({ games }) => games.map(({ gameId }) => gameId))
  const gameIds = [...new Set([...(yield* gamesWithSnapshots), ...reported])].sort()
  return (yield* Effect.forEach(gameIds, (gameId) => heldGame(gameId, current, runs))).flat()
})

/** Describes a hold for people: game, start, reason, and next commands. */
export const heldText = ({ gameId, reason, sinceMillis }: HeldGame): string =>
  `${gameId} since ${new Date(sinceMillis).toISOString().slice(0, 16).replace("T", " ")} UTC: ${reason}`
