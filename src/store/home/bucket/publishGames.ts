import { Effect } from "effect"
import { BucketBusy } from "./BucketFailed.ts"
import type { Current } from "../Home.ts"
import type { BucketStore } from "./BucketStore.ts"
import type { LakeCommit } from "./documents.ts"
import { type Place, reportsFolder, roomPath } from "./bucketKeys.ts"
import { applyChanges, type Changes, textFile, type NewFile } from "./changes.ts"
import { emptyLake, type GameHead, type LakeHead, lakeLog, openLake, type OpenLake } from "./gameInBucket.ts"
import { commitKey, continueLog, type Draft, sumOfCommit } from "./log/commitLog.ts"
import { storeObjects } from "./log/objects.ts"
import { isLaterNight, type NightId } from "./nights/nightId.ts"

/** What a command adds to the lake. */
interface Additions {
  /** The newest commits of games, ready to be published. */
  readonly ready: ReadonlyMap<string, GameHead>
  readonly changes: Changes
  /** The published state of a folder that becomes a home in a bucket, whose numbers remain. */
  readonly moved?: Current
  readonly checked?: LakeCommit["checked"]
  /** The night in parts that is complete: all its games were read. */
  readonly closes?: NightId | null
}

/** True if a game has anything that can be published. A mark of a failed part is not. */
const hasState = ({ commit: { files, months } }: GameHead): boolean =>
  Object.keys(months).length + Object.keys(files.files).length > 0

/** Returns the reports of games that a runner could not list before it died. */
const unlistedReports = Effect.fnUntraced(function* (
  lake: OpenLake,
  games: ReadonlyArray<readonly [gameId: string, head: GameHead]>,
  isKnown: (name: string) => boolean
) {
  const found = new Map<string, NewFile>()
  for (const [, { commit }] of games) {
    const { report } = commit
    const place: Place = { gameId: null, folder: reportsFolder, name: `${report?.run}.json` }
    if (report === null || found.has(place.name) || isKnown(place.name)) continue
    if ((yield* lake.find(place)) === null) found.set(place.name, textFile(place, report.text))
  }
  return [...found.values()]
})

const closedNights = (nights: LakeCommit["nights"], closes: NightId | null): LakeCommit["nights"] => {
  if (closes === null) return nights
  const closed = nights?.closed ?? null
  return { planned: nights?.planned ?? null, closed: closed === null || isLaterNight(closes, closed) ? closes : closed }
}

/**
 * Returns the published commits with those of these games. Publications that no commit of the lake has numbered share
 * the next number, which is decided with the commit's own number: after a conflict they are numbered again.
 */
const numberSteps = (
  there: Pick<LakeCommit, "games" | "sequence">,
  news: ReadonlyArray<readonly [gameId: string, head: GameHead]>,
  moved: Current = { games: {}, history: [] }
) => {
  let { sequence } = there
  const games = { ...there.games }
  for (const [gameId, head] of news) {
    const sequences: Record<string, number> = {}
    for (const [run] of head.commit.steps) {
      const step = moved.history.find((one) => one.gameId === gameId && one.run === run)
      const number = there.games[gameId]?.sequences[run] ?? step?.sequence ?? there.sequence + 1
      sequences[run] = number
      sequence = Math.max(sequence, number)
    }
    games[gameId] = { number: head.number, sum: sumOfCommit(head) ?? "", sequences }
  }
  return { games, sequence }
}

/** Makes the next commit of the lake, and stores what it names; null if nothing is new. */
const makeLake = Effect.fnUntraced(function* (
  store: BucketStore,
  lake: OpenLake,
  attempt: string,
  { changes, checked, closes = null, moved, ready }: Additions
) {
  const there = lake.head?.commit ?? emptyLake
  const news = [...ready].filter(([gameId, head]) => hasState(head) && head.number > (there.games[gameId]?.number ?? 0))
  const { games, sequence } = numberSteps(there, news, lake.head === null ? moved : undefined)
  const isOfLake = ({ gameId }: Place) => gameId === null
  const own = yield* Effect.filter(changes.written.filter(isOfLake), (file) =>
    Effect.map(lake.find(file), (found) => found?.sha256 !== file.sha256)
  )
  const deleted = yield* Effect.filter(changes.deleted.filter(isOfLake), (file) =>
    Effect.map(lake.find(file), (found) => found !== null)
  )
  const known = new Set([...changes.written, ...changes.deleted].map(({ name }) => name))
  const reports = yield* unlistedReports(lake, news, (name) => known.has(name))
  const nights = closedNights(there.nights, closes)
  const isSame = news.length + own.length + reports.length + deleted.length === 0
  if (isSame && JSON.stringify(nights) === JSON.stringify(there.nights)) return null
  const { files, months, objects } = yield* applyChanges(lake, attempt, { written: [...own, ...reports], deleted })
  yield* storeObjects(store, { attempt, room: roomPath(null) }, objects)
  const draft: Draft<LakeCommit> = {
    ...there,
    ...(nights === undefined ? {} : { nights }),
    ...(checked === undefined ? {} : { checked }),
    sequence,
    games,
    months,
    files
  }
  return { draft, changed: news.map(([gameId]) => gameId) }
})

/**
 * Publishes the newest commits of these games, and the files of the lake that a command has changed, in one commit. A
 * commit older than the published one has no effect. Returns the games whose published commit changed.
 */
export const publishGames = Effect.fn("publishGames")(function* (
  store: BucketStore,
  lake: OpenLake,
  attempt: string,
  additions: Additions
) {
  const rates = additions.changes.written.filter(({ name }) => name.startsWith("fx_rates."))
  const sumIn = (head: LakeHead | null, name: string) => head?.commit.files.files[name]?.[0]
  let changed: ReadonlyArray<string> = []
  yield* continueLog(store, lakeLog, {
    from: lake.head,
    attempt,
    next: Effect.fnUntraced(function* (base, by) {
      // Rates are added to the rates that were read before, so two concurrent loads would lose one's.
      if (rates.some(({ name }) => sumIn(base, name) !== sumIn(lake.head, name)))
        return yield* new BucketBusy({ document: store.urlOf(commitKey(roomPath(null), base?.number ?? 0)) })
      const made = yield* makeLake(store, openLake(store, base, lake), by, additions)
      changed = made?.changed ?? []
      return made?.draft ?? null
    })
  })
  return changed
})

/** Nothing changed but the games. */
export const noChanges: Changes = { written: [], deleted: [] }
