import { Effect } from "effect"
import { Fault } from "../../../feed/contract/Fault.ts"
import type { SnapshotId } from "../../../feed/contract/Ids.ts"
import { Home, homeIn, readCurrent } from "../Home.ts"
import { roomPath } from "./bucketKeys.ts"
import { type Changes, findChanges, type FolderHere, makeAnswers, makeGame, readReport } from "./changes.ts"
import type { Checkout } from "./checkOut.ts"
import type { CheckedOut } from "./placeholders.ts"
import type { GameCommit, LakeCommit, NightPart, StoredReport } from "./documents.ts"
import { type GameHead, gameLog, isSameState, openGame, type OpenGame } from "./gameInBucket.ts"
import { continueLog } from "./log/commitLog.ts"
import { storeObjects } from "./log/objects.ts"
import { isReadLater, type NightId } from "./nights/nightId.ts"
import { publishGames } from "./publishGames.ts"

/** The games of a command that another runner changed in the meantime. */
export interface Overtaken {
  /** Games of a night for which the other runner has the same result, with its snapshot. */
  readonly same: ReadonlyMap<string, SnapshotId | null>
  /** The games to repeat from the new state. */
  readonly conflicts: ReadonlyArray<string>
}

export type WorkKind = "night" | "backfill" | "other"

export interface CheckIn<E, R> {
  /** Two nights with equal results are merged; a backfill is added to any state; any other kind is repeated. */
  readonly kind: WorkKind
  readonly settle: (overtaken: Overtaken) => Effect.Effect<void, E, R>
  readonly checked?: LakeCommit["checked"]
  /** Set for a part of a night: its game is prepared, and published with the others. */
  readonly part?: { readonly night: NightId; readonly verdictOf: (gameId: string) => NightPart["verdict"] } | undefined
}

/** What a command stores of each game. */
interface Results extends FolderHere, Pick<CheckIn<never, never>, "kind" | "part"> {
  readonly report: StoredReport | null
}

/** Keeps the existing part if it belongs to a later night, or if this part has nothing new beside it. */
const choosePart = (there: NightPart | undefined, own: NightPart | undefined, isNew: boolean) => {
  if (there === undefined || own === undefined) return own ?? there
  if (isReadLater(there.night, own.night)) return there
  return there.night === own.night && !isNew && there.verdict !== "failed" ? there : own
}

/**
 * Commits a game's results, unless another runner has changed the game. A backfill's answers are added to whatever is
 * there, so that no answer is lost.
 */
const commitGame = Effect.fnUntraced(function* (
  { lakeHere, store }: Checkout,
  game: CheckedOut,
  attempt: string,
  { kind, part, report, ...here }: Results
) {
  const { gameId, head: from, state } = game.opened
  let own: Snapshots | null = null
  let isOvertaken = false
  const next = Effect.fnUntraced(function* (base: GameHead | null, by: string) {
    isOvertaken = kind !== "backfill" && base !== from && !isSameState(base, from)
    if (isOvertaken) return null
    const made = yield* kind === "backfill"
      ? makeAnswers(store, openGame(store, gameId, base, game.opened), by, here)
      : makeGame(game, by, here)
    own = made?.state ?? null
    const there = base?.commit
    const mine =
      part === undefined || report === null ? undefined : { night: part.night, verdict: part.verdictOf(gameId), report }
    const chosen = choosePart(there?.part, mine, made !== null)
    if (made === null && chosen === there?.part) return null
    yield* storeObjects(store, { attempt: by, room: roomPath(gameId) }, made?.objects ?? [])
    return {
      ...(there ?? state),
      ...made?.state,
      lowest: there?.lowest ?? 1,
      lake: Math.max(lakeHere.head?.number ?? 0, there?.lake ?? 0),
      report: report ?? there?.report ?? null,
      ...(chosen === undefined ? {} : { part: chosen })
    }
  })
  const { head } = yield* continueLog(store, gameLog(gameId), { from, attempt, next })
  return { head, own, isOvertaken }
})

/** Commits the results of all games. A part of a night that another runner has overtaken fails. */
const commitGames = Effect.fnUntraced(function* (checkout: Checkout, attempt: string, results: Results) {
  const ready = new Map<string, GameHead>()
  const same = new Map<string, SnapshotId | null>()
  const conflicts: Array<string> = []
  for (const [gameId, game] of checkout.games) {
    const { head, isOvertaken, own } = yield* commitGame(checkout, game, attempt, results)
    if (!isOvertaken) {
      if (head !== null) ready.set(gameId, head)
      continue
    }
    if (results.part !== undefined)
      return yield* new Fault(
        "PartTaken",
        `Another runner changed ${gameId} while this one read it. Its result is kept. Run this again to continue from there`,
        75
      )
    const isNight = results.kind === "night" && own !== null && head !== null
    const isSame = isNight && (yield* isSameNight(results.changes, own, openGame(checkout.store, gameId, head)))
    if (isSame) same.set(gameId, head.commit.live)
    else conflicts.push(gameId)
  }
  return { ready, same, conflicts }
})

/**
 * Uploads the results of a command from a checked-out home: its objects, the next commit of each game, and with `settle`
 * the publication. `settle` gets the games that others changed. Nothing is visible before the first commit.
 */
export const checkIn = Effect.fn("checkIn")(function* <E, R>(
  checkout: Checkout,
  attempt: string,
  { checked, kind, part, settle }: CheckIn<E, R>
) {
  const { games, here, store } = checkout
  const { root } = here
  const changes = yield* findChanges(here)
  // These games were read for the first time.
  for (const gameId of new Set([...changes.written, ...changes.deleted].flatMap((file) => file.gameId ?? [])))
    if (!games.has(gameId)) games.set(gameId, { opened: openGame(store, gameId, null), placed: new Set() })
  const current = yield* Effect.provideService(readCurrent, Home, homeIn(root))
  const report = kind === "backfill" ? null : yield* readReport(root, changes)
  const { conflicts, ready, same } = yield* commitGames(checkout, attempt, {
    kind,
    part,
    report,
    root,
    changes,
    current
  })
  const overtaken: Overtaken = { same, conflicts }
  if (part !== undefined) return overtaken
  const isOvertaken = same.size + conflicts.length > 0
  if (isOvertaken) yield* settle(overtaken)
  const settled = isOvertaken ? yield* findChanges(here) : changes
  yield* publishGames(store, checkout.lakeHere, attempt, { ready, changes: settled, checked, moved: current })
  return overtaken
})

type Snapshots = Pick<GameCommit, "held" | "live">

/** Returns the newest snapshot of a state: the held one, else the published one. */
const newest = ({ held, live }: Snapshots) => {
  const last = held.at(-1)
  return last !== undefined && (live === null || last > live) ? last : live
}

/** True if another runner's new state of a game has the tables of the local one, byte for byte. */
const isSameNight = Effect.fn("isSameNight")(function* (
  { written }: Changes,
  own: Snapshots,
  { folder, gameId, list, state }: OpenGame
) {
  const [mine, theirs] = [newest(own), newest(state)]
  if (mine === null || theirs === null) return false
  const folderOf = (snapshot: SnapshotId) => `snapshots/game=${gameId}/snapshot=${snapshot}`
  const found = yield* folder(folderOf(theirs))
  if (found === null) return false
  const tables = (files: ReadonlyArray<readonly [name: string, sha256: string]>) =>
    files.flatMap(([name, sha256]) => (name.endsWith(".parquet") ? `${name} ${sha256}` : [])).toSorted()
  const ofMine = written
    .filter((file) => file.folder === folderOf(mine))
    .map(({ name, sha256 }) => [name, sha256] as const)
  const ofTheirs = Object.entries((yield* list(found)).files).map(([name, [sha256]]) => [name, sha256] as const)
  return JSON.stringify(tables(ofMine)) === JSON.stringify(tables(ofTheirs))
})
