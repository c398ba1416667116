import { basename } from "node:path"
import { Effect } from "effect"
import { BucketBusy } from "./BucketFailed.ts"
import type { Current } from "../Home.ts"
import type { BucketStore } from "./BucketStore.ts"
import { fetchDocument, isLost, makeDocument } from "./bucketDocuments.ts"
import { reportKey, roomOf } from "./bucketKeys.ts"
import type { FilesHere } from "./changesHere.ts"
import type { Checkout } from "./checkOut.ts"
import { type LakeCommit, MonthOfRuns, type Ref, type StoredFile } from "./documents.ts"
import { emptyLake, type GameHead, lakeLog } from "./gameInBucket.ts"
import { commitKey, continueLog, type Draft, type Stored, sumOfCommit } from "./log/commitLog.ts"
import { type NewObject, storeObjects } from "./log/objects.ts"
import { isLaterNight, type NightId } from "./nights/nightId.ts"
import { monthOfRun } from "./placeOf.ts"
import { objectOfFile } from "./storeGame.ts"

/** What a command adds to the lake. */
interface Additions {
  /** The newest commits of games, ready to be published. */
  readonly ready: ReadonlyMap<string, GameHead>
  readonly here: Pick<FilesHere, "fresh" | "kept">
  /** The files of the lake that the command had, by name. */
  readonly known: ReadonlyArray<string>
  /** The published state of a folder that becomes a home in a bucket, whose numbers remain. */
  readonly moved?: Current
  /** The night in parts that is complete: all its games were read. */
  readonly closes?: NightId | null
}

/** A report to list: a file of this machine, or a report that only a game's commit names. */
interface NewReport {
  readonly file: StoredFile
  readonly object: NewObject
}

/** True if a game has anything that can be published. A mark of a failed part is not. */
const hasState = ({ commit: { files, months } }: GameHead): boolean =>
  Object.keys(months).length + Object.keys(files.files).length > 0

/** Copies the reports of games that a runner could not list before it died. A missing report is only reported. */
const copyReports = Effect.fnUntraced(function* (
  store: BucketStore,
  attempt: string,
  games: ReadonlyArray<readonly [gameId: string, head: GameHead]>
) {
  const copies = new Map<string, NewReport>()
  for (const [gameId, { commit }] of games) {
    const { report } = commit
    if (report === null || copies.has(report.run)) continue
    const [sha256] = report.file
    const text = yield* store
      .fetchText(reportKey(gameId, report), sha256)
      .pipe(Effect.catchIf(isLost, ({ message }) => Effect.as(Effect.logWarning(message), null)))
    if (text === null) continue
    const body = Buffer.from(text)
    const file: StoredFile = [sha256, body.length, attempt]
    const key = reportKey(null, { run: report.run, file: [sha256, body.length, attempt] })
    copies.set(report.run, { file, object: { key, from: body, sizeBytes: body.length } })
  }
  return copies
})

/** Reads the list of a month's runs; the one that was checked out, if it is that. */
const readRuns = (
  store: BucketStore,
  { lake, runs }: Pick<Checkout, "lake" | "runs">,
  month: string,
  ref: Ref | undefined
) => {
  const known = lake?.commit.runs[month]?.sha256 === ref?.sha256 ? runs.get(month) : undefined
  if (ref === undefined || known !== undefined) return Effect.succeed(known ?? null)
  return fetchDocument(store, { gameId: null, kind: "runs", ref, schema: MonthOfRuns })
}

/** Makes the lists of months in which a command adds or removes reports. */
const makeRuns = Effect.fnUntraced(function* (
  store: BucketStore,
  attempt: string,
  {
    adds,
    checkout,
    isOwn,
    removed,
    there
  }: {
    readonly there: Draft<LakeCommit>
    readonly checkout: Pick<Checkout, "lake" | "runs">
    readonly adds: ReadonlyMap<string, NewReport>
    readonly isOwn: (run: string) => boolean
    readonly removed: ReadonlyArray<string>
  }
) {
  const months: Record<string, Ref> = { ...there.runs }
  const objects: Array<NewObject> = []
  for (const name of new Set([...adds.keys(), ...removed].map(monthOfRun))) {
    const before = yield* readRuns(store, checkout, name, there.runs[name])
    const runs: Record<string, StoredFile> = {}
    for (const [run, [sum, size, by = before?.attempt ?? ""]] of Object.entries(before?.runs ?? {}))
      if (!removed.includes(run)) runs[run] = [sum, size, by]
    for (const [run, { file, object }] of adds) {
      if (monthOfRun(run) !== name || (runs[run] !== undefined && !isOwn(run))) continue
      runs[run] = file
      objects.push(object)
    }
    const isSame = (a: typeof runs, b: typeof runs) =>
      JSON.stringify(Object.entries(a).map(([run, [sum]]) => [run, sum])) ===
      JSON.stringify(Object.entries(b).map(([run, [sum]]) => [run, sum]))
    if (isSame(runs, before?.runs ?? {})) continue
    if (Object.keys(runs).length === 0) delete months[name]
    else {
      const value = { attempt, runs }
      const made = yield* makeDocument({ gameId: null, kind: "runs", attempt, schema: MonthOfRuns, value })
      months[name] = made.ref
      objects.push(made.object)
    }
  }
  return { months, objects }
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

/** Splits the files of the lake that a command has written or removed. */
const filesOfLake = ({ here, known }: Additions) => {
  const written = here.fresh.filter(({ gameId }) => gameId === null)
  const isHere = new Set([...here.kept, ...written].flatMap(({ gameId, name }) => (gameId === null ? [name] : [])))
  const removed = known.filter((name) => !isHere.has(name))
  const runOf = (name: string) => (name.startsWith("runs/") ? [basename(name, ".json")] : [])
  return {
    reports: written.filter(({ name }) => name.startsWith("runs/")),
    others: written.filter(({ name }) => !name.startsWith("runs/")),
    removed,
    removedRuns: removed.flatMap(runOf),
    runOf
  }
}

/** Makes the next commit of the lake, and stores what it names; null if nothing is new. */
const makeLake = Effect.fnUntraced(function* (
  store: BucketStore,
  checkout: Pick<Checkout, "lake" | "runs">,
  additions: Additions,
  base: Stored<LakeCommit> | null,
  attempt: string
) {
  const there = base?.commit ?? emptyLake
  const { others, removed, removedRuns, reports, runOf } = filesOfLake(additions)
  const news = [...additions.ready].filter(
    ([gameId, head]) => hasState(head) && head.number > (there.games[gameId]?.number ?? 0)
  )
  const { games, sequence } = numberSteps(there, news, base === null ? additions.moved : undefined)
  const own = new Map(
    reports.flatMap((file): ReadonlyArray<readonly [string, NewReport]> =>
      runOf(file.name).map((run) => [
        run,
        { file: [file.sha256, file.sizeBytes, attempt], object: objectOfFile(attempt, file) }
      ])
    )
  )
  const isUnlisted = (run: string) => !own.has(run) && !removedRuns.includes(run)
  const unlisted = news.filter(([, { commit }]) => commit.report !== null && isUnlisted(commit.report.run))
  const adds = new Map([...(yield* copyReports(store, attempt, unlisted)), ...own])
  const isOwn = (run: string) => own.has(run)
  const runs = yield* makeRuns(store, attempt, { there, checkout, adds, isOwn, removed: removedRuns })

  const files: Record<string, StoredFile> = {}
  for (const [name, [sum, size, by = there.files.attempt]] of Object.entries(there.files.files))
    if (!removed.includes(name)) files[name] = [sum, size, by]
  for (const { name, sha256, sizeBytes } of others) files[name] = [sha256, sizeBytes, attempt]
  const nights = closedNights(there.nights, additions.closes ?? null)
  const sums = (of: Readonly<Record<string, StoredFile>>) =>
    JSON.stringify(Object.entries(of).map(([name, [sum]]) => [name, sum]))
  const isSame =
    news.length === 0 &&
    JSON.stringify([runs.months, nights]) === JSON.stringify([there.runs, there.nights]) &&
    sums(files) === sums(there.files.files)
  if (isSame) return null
  const objects = [...others.map((file) => objectOfFile(attempt, file)), ...runs.objects]
  yield* storeObjects(store, { attempt, room: roomOf(null) }, objects)
  const draft: Draft<LakeCommit> = {
    ...there,
    ...(nights === undefined ? {} : { nights }),
    sequence,
    games,
    runs: runs.months,
    files: Object.keys(files).length === 0 ? emptyLake.files : { attempt, files }
  }
  return { draft, changed: news.map(([gameId]) => gameId) }
})

/**
 * Publishes the newest commits of these games, and the files of the lake that a command has changed, in one commit. A
 * commit older than the published one has no effect. Returns the games whose published commit changed.
 */
export const publishGames = Effect.fn("publishGames")(function* (
  store: BucketStore,
  checkout: Pick<Checkout, "lake" | "runs">,
  attempt: string,
  additions: Additions
) {
  const { lake } = checkout
  const rates = additions.here.fresh.filter(({ name }) => name.startsWith("fx_rates."))
  let changed: ReadonlyArray<string> = []
  yield* continueLog(store, lakeLog, {
    from: lake,
    attempt,
    next: Effect.fnUntraced(function* (base, by) {
      // Rates are added to the rates that were read before, so two concurrent loads would lose one's.
      const sumIn = (commit: LakeCommit | undefined, name: string) => commit?.files.files[name]?.[0]
      if (rates.some(({ name }) => sumIn(base?.commit, name) !== sumIn(lake?.commit, name)))
        return yield* new BucketBusy({ document: store.urlOf(commitKey(roomOf(null), base?.number ?? 0)) })
      const made = yield* makeLake(store, checkout, additions, base, by)
      changed = made?.changed ?? []
      return made?.draft ?? null
    })
  })
  return changed
})
