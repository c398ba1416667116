import { join } from "node:path"
import { Effect } from "effect"
import type { SnapshotId } from "../../../feed/contract/Ids.ts"
import { Current } from "../Home.ts"
import { isThere } from "../disk.ts"
import { homePaths } from "../homePaths.ts"
import { readJson } from "../jsonFile.ts"
import { type FilesHere, filesHere } from "./changesHere.ts"
import { roomOf } from "./bucketKeys.ts"
import type { Checkout } from "./checkOut.ts"
import type { CheckedOut } from "./placeGame.ts"
import type { GameCommit, NightPart } from "./documents.ts"
import { type GameHead, gameLog, isSameState, openGame, type OpenGame } from "./gameInBucket.ts"
import { continueLog } from "./log/commitLog.ts"
import { storeObjects } from "./log/objects.ts"
import { isReadLater, type NightId } from "./nights/nightId.ts"
import { PartTaken } from "./PartTaken.ts"
import { publishGames } from "./publishGames.ts"
import { makeAnswers } from "./storeAnswers.ts"
import { freshReport, makeGame, reportOfGame, withNotes } from "./storeGame.ts"
import { withDisk } from "../../../feed/disk/Disk.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { Manifest } from "../Manifest.ts"
import type { BucketStore } from "./BucketStore.ts"
import { keyOfKnown, storedParts } from "./hollowFiles.ts"

/** The games of a command that another runner changed in the meantime. */
export interface Overtaken {
  /** Games of a night for which the other runner has the same result, with its snapshot. */
  readonly same: ReadonlyMap<string, SnapshotId | null>
  /** The games to repeat from the new state. */
  readonly lost: ReadonlyArray<string>
}

export type WorkKind = "night" | "backfill" | "other"

export interface CheckIn<E, R> {
  /** Two nights with equal results are merged; a backfill is added to any state; any other kind is repeated. */
  readonly kind: WorkKind
  readonly settle: (overtaken: Overtaken) => Effect.Effect<void, E, R>
  /** Set for a part of a night: its game is prepared, and published with the others. */
  readonly part?: { readonly night: NightId; readonly verdictOf: (gameId: string) => NightPart["verdict"] } | undefined
}

/** Returns the published snapshots of a checked-out home. */
const currentHere = (root: string) => {
  const { current } = homePaths(root)
  return isThere(current) ? readJson(current, Current) : Effect.succeed({ games: {}, history: [] } satisfies Current)
}

/** What a command stores of each game. */
interface Results {
  readonly kind: WorkKind
  readonly part: CheckIn<never, never>["part"]
  readonly here: FilesHere
  readonly current: Current
}

/** Keeps the existing part if it belongs to a later night, or if this part has nothing new beside it. */
const choosePart = (there: NightPart | undefined, own: NightPart | undefined, isNew: boolean) => {
  if (there === undefined || own === undefined) return own ?? there
  if (isReadLater(there.night, own.night)) return there
  return there.night === own.night && !isNew && there.verdict !== "failed" ? there : own
}

/** Commits a game's results, unless another runner has changed the game. */
const commitGame = Effect.fnUntraced(function* (
  { lake, root, store, stored }: Checkout,
  game: CheckedOut,
  attempt: string,
  { current, here, part }: Results
) {
  const { gameId, head: from } = game.opened
  const report = freshReport(here, root)
  let own: Pick<GameCommit, "held" | "live"> | null = null
  let isOvertaken = false
  const next = Effect.fnUntraced(function* (base: GameHead | null, by: string) {
    isOvertaken = base !== from && !isSameState(base, from)
    if (isOvertaken) return null
    const made = yield* makeGame(game, by, { current, here, lake: lake?.number ?? 0 })
    own = made?.draft ?? null
    const told = report === null ? null : reportOfGame(gameId, by, report)
    const there = base?.commit.part
    const mine =
      part === undefined || told === null
        ? undefined
        : { night: part.night, verdict: part.verdictOf(gameId), report: told.ref }
    const chosen = choosePart(there, mine, made !== null)
    if (made === null && chosen === there) return null
    const objects = [...(made?.objects ?? []), ...(told === null ? [] : [told.object])]
    yield* storeObjects(store, { attempt: by, room: roomOf(gameId) }, objects, stored)
    const state = made?.draft ?? { ...game.opened.state, lake: lake?.number ?? 0 }
    return withNotes(state, base?.commit ?? null, { report: told?.ref ?? null, part: chosen })
  })
  const { head } = yield* continueLog(store, gameLog(gameId), { from, attempt, next })
  return { head, own, isOvertaken }
})

/** Adds a backfill's answers to whatever is there, so that no answer is lost. */
const commitAnswers = Effect.fnUntraced(function* (
  { root, store }: Checkout,
  { opened: { gameId, head } }: CheckedOut,
  attempt: string,
  { here }: Results
) {
  const next = Effect.fnUntraced(function* (base: GameHead | null, by: string) {
    const made = yield* makeAnswers(store, openGame(store, gameId, base), by, { here, root })
    if (made === null) return null
    yield* storeObjects(store, { attempt: by, room: roomOf(gameId) }, made.objects)
    return withNotes(made.draft, base?.commit ?? null, { report: null })
  })
  const done = yield* continueLog(store, gameLog(gameId), { from: head, attempt, next })
  return done.isOwn ? done.head : null
})

/** Commits the results of all games. A part of a night that another runner has overtaken fails. */
const commitGames = Effect.fnUntraced(function* (checkout: Checkout, attempt: string, results: Results) {
  const { games, root, store } = checkout
  const ready = new Map<string, GameHead>()
  const same = new Map<string, SnapshotId | null>()
  const lost: Array<string> = []
  for (const [gameId, game] of games) {
    if (results.kind === "backfill") {
      const added = yield* commitAnswers(checkout, game, attempt, results)
      if (added !== null) ready.set(gameId, added)
      continue
    }
    const { head, isOvertaken, own } = yield* commitGame(checkout, game, attempt, results)
    if (!isOvertaken) {
      if (head !== null) ready.set(gameId, head)
      continue
    }
    if (results.part !== undefined) return yield* new PartTaken({ gameId })
    const snapshots = join(root, `snapshots/game=${gameId}`)
    const isNight = results.kind === "night" && own !== null && head !== null
    const isSame = isNight && (yield* isSameNight(store, snapshots, own, openGame(store, gameId, head)))
    if (isSame) same.set(gameId, head.commit.live)
    else lost.push(gameId)
  }
  return { ready, same, lost }
})

/**
 * Uploads the results of a command from a checked-out home: its objects, the next commit of each game, and with `settle`
 * the publication. `settle` gets the games that others changed. Nothing is visible before the first commit.
 */
export const checkIn = Effect.fn("checkIn")(function* <E, R>(
  checkout: Checkout,
  attempt: string,
  { kind, part, settle }: CheckIn<E, R>
) {
  const { games, hollow, root, store } = checkout
  const here = yield* filesHere(checkout)
  const current = yield* currentHere(root)
  // These games were read for the first time.
  for (const gameId of new Set([...here.fresh, ...here.kept].flatMap((file) => file.gameId ?? [])))
    if (!games.has(gameId)) games.set(gameId, { opened: openGame(store, gameId, null), placed: new Set() })
  const { lost, ready, same } = yield* commitGames(checkout, attempt, { kind, part, here, current })
  const overtaken: Overtaken = { same, lost }
  if (part !== undefined) return overtaken
  const isOvertaken = same.size + lost.length > 0
  if (isOvertaken) yield* settle(overtaken)
  const known = [...hollow.known.values()].flatMap(({ gameId, name }) => (gameId === null ? [name] : []))
  const settled = isOvertaken ? yield* filesHere(checkout) : here
  yield* publishGames(store, checkout, attempt, { ready, here: settled, known, moved: current })
  return overtaken
})

type Snapshots = Pick<GameCommit, "held" | "live">

/** Returns the newest snapshot of a state: the held one, else the published one. */
const newest = ({ held, live }: Snapshots) => {
  const last = held.at(-1)
  return last !== undefined && (live === null || last > live) ? last : live
}

const saysTheSame = (a: Manifest, b: Manifest): boolean =>
  a.deploymentId === b.deploymentId &&
  Object.keys(a.tables).length === Object.keys(b.tables).length &&
  Object.entries(a.tables).every(([table, { sha256 }]) => b.tables[table]?.sha256 === sha256)

/** True if another runner's new state of a game has the tables of the local one, byte for byte. */
export const isSameNight = Effect.fn("isSameNight")(function* (
  store: BucketStore,
  snapshots: string,
  own: Snapshots,
  { folder: find, gameId, state }: OpenGame
) {
  const [mine, theirs] = [newest(own), newest(state)]
  if (mine === null || theirs === null) return false
  const folder = `snapshots/game=${gameId}/snapshot=${theirs}`
  const found = yield* find(folder)
  const file = found === null || "list" in found ? undefined : found.files["manifest.json"]
  if (found === null || "list" in found || file === undefined) return false
  const here = join(snapshots, `snapshot=${mine}`, "manifest.json")
  return yield* Effect.acquireUseRelease(
    lakeStep("Make a folder", (disk) => disk.makeUniqueFolder(join(snapshots, "other-"))),
    (folderHere) =>
      Effect.gen(function* () {
        const there = join(folderHere, "manifest.json")
        const stored = storedParts(found, file)
        yield* store.fetch(keyOfKnown({ gameId, folder, name: "manifest.json", ...stored }), there, stored.sha256)
        return saysTheSame(yield* readJson(here, Manifest), yield* readJson(there, Manifest))
      }),
    (folderHere) => withDisk((disk) => disk.remove(folderHere))
  )
})
