import { Effect } from "effect"
import type { SnapshotId } from "../../feed/contract/Ids.ts"
import { millisOf } from "../../store/home/newRunId.ts"
import { Home, readCurrent, type Current } from "../../store/home/Home.ts"
import { type Manifest, gamesWithSnapshots, readableSnapshot } from "../../store/home/Manifest.ts"
import { readExtraction } from "../../feed/reading/readExtraction.ts"
import { dialectOfKeys } from "../../feed/rows/spokenWords.ts"
import { heldAdvice, wordsAdvice } from "../../store/diff/heldAdvice.ts"
import { type HeldSnapshot, heldSnapshots } from "../../store/home/HeldBack.ts"
import { listRuns } from "./listRuns.ts"
import type { RunReport } from "./RunReport.ts"

const newestOf = (ids: ReadonlyArray<string>): string => ids.reduce((newest, id) => (id > newest ? id : newest), "")

const publishedIds = ({ games, history }: Current, gameId: string): ReadonlyArray<SnapshotId> => [
  ...(games[gameId]?.published ?? []),
  ...history.filter((step) => step.gameId === gameId).map((step) => step.snapshot)
]

/** Runs in which a person published a held snapshot, or a correction. */
const stepsByHand = ({ history }: Current, gameId: string): ReadonlyArray<string> =>
  history
    .filter((step) => step.gameId === gameId && (step.kind === "release" || step.kind === "replay"))
    .map(({ run }) => run)

/** The dialect that knows keys of a held snapshot which its own does not; null if none does. */
const wordsSince = Effect.fnUntraced(
  function* ({ dialect = "spec", gameId, runId }: Manifest) {
    const { unknownKeys } = yield* readExtraction((yield* Home).raw(gameId, runId))
    const found = dialectOfKeys(unknownKeys.filter(({ kind }) => kind === "products").map(({ path }) => path))
    return found === dialect ? null : found
  },
  // Without its raw pages, nothing can be read again.
  Effect.orElseSucceed(() => null)
)

/** When the newest reading that was ever published was made: what a replay publishes was read before. */
const lastReadMillis = Effect.fnUntraced(function* (current: Current, gameId: string) {
  const home = yield* Home
  const replayed = new Set<string>(
    current.history.filter((step) => step.gameId === gameId && step.kind === "replay").map(({ snapshot }) => snapshot)
  )
  const millis = yield* Effect.forEach(publishedIds(current, gameId), (id) =>
    replayed.has(id)
      ? Effect.map(readableSnapshot(home.snapshot(gameId, id)), (found) =>
          found === null ? millisOf(id) : Date.parse(found.manifest.extractedAt)
        )
      : Effect.succeed(millisOf(id))
  )
  return Math.max(0, ...millis.map((one) => one ?? 0))
})

/** Why a snapshot is held, as the report of its run says it; without a report, as the snapshot's own folder says it. */
const reasonOf = Effect.fnUntraced(function* ({ manifest, reasons }: HeldSnapshot, runs: ReadonlyArray<RunReport>) {
  const words = yield* wordsSince(manifest)
  const said = reasons.length === 0 ? "its held.json cannot be read" : reasons.join("; ")
  if (words !== null) return `${said}. ${wordsAdvice(manifest, words)}`
  const reported = runs
    .find(({ run }) => run === manifest.snapshot)
    ?.games.find(({ gameId }) => gameId === manifest.gameId)
  return reported?.reason ?? `${said}. ${heldAdvice(manifest, [])}`
})

const heldGame = Effect.fnUntraced(function* (gameId: string, current: Current, runs: ReadonlyArray<RunReport>) {
  const nights = runs
    .filter(({ kind }) => kind === "nightly")
    .flatMap(({ games, run }) =>
      games
        .filter((game) => game.gameId === gameId)
        .map(({ products, reason, verdict }) => ({ run, products, reason, verdict }))
    )
  const published = newestOf(publishedIds(current, gameId))
  const waiting = (yield* heldSnapshots(gameId)).filter(({ manifest }) => manifest.snapshot > published)
  const accepted = nights.filter(({ verdict }) => verdict === "published" || verdict === "unchanged")
  const good = newestOf([published, ...accepted.map(({ run }) => run)])
  const unchanged = newestOf(accepted.map(({ run }) => run))
  const readMillis = yield* lastReadMillis(current, gameId)
  // What is published of a reading says nothing of a later one that left no snapshot.
  const isLater = (run: string) => run > unchanged && (millisOf(run) ?? 0) > readMillis
  // A night that found again what a person published since waits no more.
  const settled = newestOf([good, ...stepsByHand(current, gameId)])
  const held = nights.filter(
    ({ products, run, verdict }) => verdict === "held" && (products === null ? isLater(run) : run > settled)
  )
  const stored = waiting.map(({ manifest }) => manifest.snapshot).filter((id) => id > good)
  // A night that finds again what is held stores no second snapshot of it.
  const isStored = stored.length > 0 || held.some(({ products }) => products !== null)
  const newest = isStored ? waiting.at(-1) : undefined
  const ids = [...held.map(({ run }) => run), ...stored]
  const instants = ids.flatMap((id) => millisOf(id) ?? [])
  if (instants.length === 0) return []
  return [
    {
      gameId,
      /** The newest held snapshot; null = the pages did not add up, so there is none. */
      snapshot: newest?.manifest.snapshot ?? null,
      deploymentId: newest?.manifest.deploymentId ?? null,
      /** When the first of the nights began that were all held, and when the last one did. */
      sinceMillis: Math.min(...instants),
      readMillis: Math.max(...instants),
      /** Why, ending with the commands that look at it and release it. */
      reason: newest === undefined ? (held[0]?.reason ?? "") : yield* reasonOf(newest, runs)
    }
  ]
})

/** A game whose last reading was held, and nothing was published since. */
export type HeldGame = Effect.Success<ReturnType<typeof heldGame>>[number]

/** The game, if it is held; else null. */
export const heldGameOf = Effect.fnUntraced(function* (gameId: string) {
  const [held] = yield* heldGame(gameId, yield* readCurrent, yield* listRuns)
  return held ?? null
})

/** The games that are held, by their snapshots and the reports that can be read. */
export const heldGames = Effect.gen(function* () {
  const current = yield* readCurrent
  const runs = yield* listRuns
  const reported = runs.flatMap(({ games }) => games.map(({ gameId }) => gameId))
  const gameIds = [...new Set([...(yield* gamesWithSnapshots), ...reported])].sort()
  return (yield* Effect.forEach(gameIds, (gameId) => heldGame(gameId, current, runs))).flat()
})

/** What a person needs to know: which game, since when, why, and the commands that go on. */
export const heldText = ({ gameId, reason, sinceMillis }: HeldGame): string =>
  `${gameId} since ${new Date(sinceMillis).toISOString().slice(0, 16).replace("T", " ")} UTC: ${reason}`
