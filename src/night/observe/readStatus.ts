import { createHash } from "node:crypto"
import { homedir } from "node:os"
import { join } from "node:path"
import { Clock, Config, Cron, type Duration, Effect } from "effect"
import { watchHits } from "../../desk/own/Watchlist.ts"
import { onDisk } from "../../feed/disk/Disk.ts"
import { makeFolders } from "../../feed/disk/makeFolders.ts"
import { Home, lastCommittedRun, readCurrent } from "../../store/home/Home.ts"
import { isThere, measureBytes } from "../../store/home/disk.ts"
import { readLoadedRates } from "../../store/lake/fx/loadRates.ts"
import { findHolder, lockStep } from "../../store/home/lock/takeLock.ts"
import { lakeAge, newestReading, publishedGames } from "./examineAge.ts"
import { heldGames } from "./heldGames.ts"
import { listRuns, type GameReport, type RunReport, withoutPublications } from "./RunReport.ts"

/** A night may begin this long after its time: a service catches up, and a machine may be busy. */
const graceMillis = 15 * 60_000

/** More missed nights than this are not counted, because a schedule may have one a minute. */
export const maxMissed = 1000

/** When nights run, and the zone in which people read it. */
export interface NightTimes {
  readonly cron: Cron.Cron
  readonly zone: string
}

const nextTime = (cron: Cron.Cron, millis: number): number => Cron.next(cron, new Date(millis)).getTime()

/** Returns the times after `fromMillis` up to `toMillis` that a schedule had, at most {@link maxMissed}. */
const listTimes = (cron: Cron.Cron, fromMillis: number, toMillis: number): ReadonlyArray<number> => {
  const found: Array<number> = []
  let next = nextTime(cron, fromMillis)
  while (next <= toMillis && found.length < maxMissed) {
    found.push(next)
    next = nextTime(cron, next)
  }
  return found
}

/** Returns the run that holds the home's lock, and true if it is dead; null if none does. */
const readLock = Effect.gen(function* () {
  const { lock, root } = yield* Home
  const now = yield* Clock.currentTimeMillis
  return yield* lockStep(root, (machine) => findHolder(machine, lock, now))
})

/** Returns why the last night did not load exchange rates; null if it did, or newer ones were loaded since. */
export const findRatesFault = (reports: ReadonlyArray<RunReport>, loadedMillis: number): string | null => {
  const night = reports.find(({ kind }) => kind === "nightly")
  return night?.ratesFault === undefined || loadedMillis > Date.parse(night.startedAt) ? null : night.ratesFault
}

/** Returns the times of a schedule at which no night ran since the last one. A run that is active now may be late. */
export const missedNights = Effect.fnUntraced(function* (cron: Cron.Cron, reports: ReadonlyArray<RunReport>) {
  const lock = yield* readLock
  const last = reports.find(({ kind }) => kind === "nightly")
  if (last === undefined || lock?.isDead === false) return []
  return listTimes(cron, Date.parse(last.startedAt), (yield* Clock.currentTimeMillis) - graceMillis)
})

/** Returns the next night, and the times at which none ran; null without a schedule. */
const readSchedule = Effect.fnUntraced(function* (schedule: NightTimes | null, reports: ReadonlyArray<RunReport>) {
  if (schedule === null) return null
  const { cron, zone } = schedule
  const nextMillis = nextTime(cron, yield* Clock.currentTimeMillis)
  return { zone, nextMillis, missedMillis: yield* missedNights(cron, reports) }
})

/** Returns bytes of the home and on its disk. A night builds a second lake beside the first, and stores new pages. */
const readDisk = Effect.gen(function* () {
  const { lake, root } = yield* Home
  const { freeBytes } = yield* onDisk(
    async (disk) => ({ freeBytes: await disk.freeBytes(root) }),
    (cause) => ({ message: cause instanceof Error ? cause.message : String(cause) })
  )
  return { homeBytes: yield* measureBytes(root), freeBytes, lakeBytes: yield* measureBytes(lake) }
})

/** Returns the counts of the watchlist; null if nothing is watched, or there is no lake yet. */
const readWatch = Effect.map(watchHits(), (prices) =>
  prices.length === 0
    ? null
    : {
        watched: prices.length,
        reached: prices.filter((price) => price["hit"] !== "").length,
        isNew: prices.filter((price) => price["is_new"] === true).length
      }
).pipe(Effect.catchTag("NoLake", () => Effect.succeed(null)))

/** The file that has the time of this user's last look at a home. */
const lookFile = (home: string) =>
  Effect.map(Config.String("XDG_STATE_HOME").pipe(Config.withDefault(join(homedir(), ".local/state"))), (folder) =>
    join(folder, "cardlake", "looks", createHash("sha256").update(home).digest("hex").slice(0, 16))
  )

const failedLook = () => null

/** Returns when this user last looked at a home; null if never. */
const readLook = Effect.fnUntraced(function* (home: string) {
  const file = yield* lookFile(home)
  const text = yield* Effect.orElseSucceed(
    onDisk((disk) => disk.readText(file), failedLook),
    failedLook
  )
  const millis = Date.parse(text ?? "")
  return Number.isNaN(millis) ? null : millis
})

/** Records a look at a home, for this user alone. A failure is ignored: a look changes nothing. */
export const recordLook = Effect.fnUntraced(function* (home: string, millis: number) {
  const file = yield* lookFile(home)
  yield* onDisk(async (disk) => {
    await makeFolders(disk, join(file, ".."))
    await disk.write(file, new Date(millis).toISOString())
  }, failedLook).pipe(Effect.ignore)
})

/** Returns the report of each game in the newest night that read it: a later night of other games does not hide a failure. */
const lastVerdicts = (runs: ReadonlyArray<RunReport>): ReadonlyArray<GameReport> => {
  const found = new Map<string, GameReport>()
  for (const { games } of runs.filter(({ kind }) => kind === "nightly")) {
    for (const game of games) if (!found.has(game.gameId)) found.set(game.gameId, game)
  }
  return [...found.values()]
}

/** What a step found, or why it failed. */
const orReason = <A, E extends { readonly message: string }, R>(step: Effect.Effect<A, E, R>) =>
  Effect.match(step, { onSuccess: (found) => ({ found }), onFailure: ({ message }) => ({ fault: message }) })

/** How things stand on disk; nothing is requested. `address` names the home, a folder or a bucket. */
export const readStatus = Effect.fn("readStatus")(function* (
  address: string,
  {
    isRemote,
    maxAge,
    schedule
  }: {
    readonly schedule: NightTimes | null
    /** True if the files are in a bucket: then no disk can fill up, and there is no lake file to query. */
    readonly isRemote: boolean
    readonly maxAge: Duration.Duration
  }
) {
  const home = yield* Home
  const now = yield* Clock.currentTimeMillis
  const current = yield* readCurrent
  const lock = yield* readLock
  const reports = yield* listRuns
  // A report is written before its run is committed: that of the active run is not true yet, and of a dead one,
  // a publication that is not there failed.
  const active = lock?.isDead === false ? lock.holder.run : null
  const runs = isRemote
    ? reports
    : reports
        .filter(({ run }) => run !== active)
        .map((report) => (report.run > lastCommittedRun(current) ? withoutPublications(report, current) : report))
  const night = runs.find(({ kind }) => kind === "nightly") ?? null
  const since = yield* readLook(address)
  const { history } = current
  return {
    nowMillis: now,
    night,
    /** The last verdict on each game, of any night. */
    verdicts: lastVerdicts(runs),
    /** False if there is no such folder: nothing was read yet, or its name is mistyped. */
    hasHome: isRemote || isThere(home.root),
    /** The run that holds the home's lock, and true if it is dead; null if none does. */
    lock,
    /** True if something is published, but the file to query is not there. */
    lacksLake: !isRemote && history.length > 0 && !isThere(home.lake),
    age: yield* orReason(lakeAge(maxAge)),
    /** When the newest published data was read; null before the first night, or if the home is damaged. */
    newestReadMillis: yield* Effect.orElseSucceed(Effect.map(publishedGames, newestReading), () => null),
    held: yield* orReason(heldGames),
    schedule: yield* readSchedule(schedule, runs),
    rates: yield* orReason(readLoadedRates),
    disk: isRemote || !isThere(home.root) ? null : yield* orReason(readDisk),
    watch: isRemote ? null : yield* orReason(readWatch),
    /** Publications since this user's last look; all of them before the first. */
    since,
    publications: history.filter(({ at }) => since === null || Date.parse(at) > since)
  }
})
