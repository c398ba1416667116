import { Context, Effect } from "effect"
import { correctNight, oneNight } from "../../../src/night/cluster/steps/correctNight.ts"
import { runNight } from "../../../src/night/run/runNight.ts"
import { runPrune } from "../../../src/night/run/runPrune.ts"
import { runRelease } from "../../../src/night/run/publishAs.ts"
import { runRollback } from "../../../src/night/run/runRollback.ts"
import type { RunReport } from "../../../src/night/observe/RunReport.ts"
import { openStore } from "../../../src/store/home/bucket/BucketStore.ts"
import { BucketSettings } from "../../../src/store/home/bucket/openBucket.ts"
import { nightParts, publishParts, planNight } from "../../../src/store/home/bucket/nights/nightParts.ts"
import { examineBucket } from "../../../src/store/home/bucket/repair/examineBucket.ts"
import { type PlaceInBucket, type Work, workInBucket } from "../../../src/store/home/bucket/workInBucket.ts"
import { storeHere } from "../bucket/Store.ts"
import type { RunStep } from "../history.ts"
import type { Process, World } from "../machine/World.ts"
import { feedHere } from "../small/feed.ts"
import type { Acknowledged } from "./drive.ts"
import { acknowledged, inSmallHome, republished } from "./folderCommands.ts"

const address = "s3://lakes/home"
const nothing: Acknowledged = { run: "", published: [], verdicts: [] }

interface Republished {
  readonly run: string
  readonly snapshot: string
}

const asDone = { settle: <A>(_: string, done: A) => Effect.succeed(done), together: <A>(_: A, second: A) => second }

type Part = Parameters<typeof nightParts>[1]

/** The work of a night, as the command line says it. */
const nightWork = (
  games: ReadonlyArray<string>,
  part: Part | null
): Work<RunReport, { readonly message: string }, never> => {
  const verdictOf = (report: RunReport, gameId: string) =>
    report.games.find((game) => game.gameId === gameId)?.verdict ?? report.verdict
  return {
    need: { games: games.length === 0 ? null : games, of: "newest", folders: "night", runs: "recent" },
    isFirst: true,
    writes: {
      kind: "night",
      ...(part === null ? {} : { part: { night: part, verdictOf } }),
      again: "lost",
      settle: correctNight as never,
      together: oneNight
    }
  }
}

const writing = <A>(games: ReadonlyArray<string> | null): Work<A, never, never> => ({
  need: { games, of: "newest", folders: "all", runs: "recent" },
  writes: { ...asDone, kind: "other", again: "lost" }
})

const pruneWork = <A>(): Work<A, never, never> => ({
  need: { games: null, of: "newest", folders: "all", runs: "all" },
  writes: { ...asDone, kind: "other", again: "all", sweeps: true }
})

/** The commands of a home in a bucket, by the code that the command line calls. */
export const bucketCommand = (world: World, process: Process, { command, games }: RunStep) => {
  const gameId = games[0] ?? "a"
  const inFolder =
    <A, E, R>(run: (games: ReadonlyArray<string> | null) => Effect.Effect<A, E, R>) =>
    (root: string, games: ReadonlyArray<string> | null, place: PlaceInBucket) =>
      inSmallHome(run(games), { world, process, root, place })
  const night = (wanted: ReadonlyArray<string>, part: Part | null) =>
    workInBucket(
      address,
      nightWork(wanted, part),
      inFolder((again) => runNight(again ?? wanted, () => {}))
    )
  const inParts = Effect.gen(function* () {
    const store = yield* openStore(address)
    const planned = yield* planNight(
      store,
      Effect.sync(() => [...feedHere.feed.games.keys()])
    )
    yield* night([gameId], planned.night)
    const parts = yield* nightParts(store, planned.night)
    yield* publishParts(store, planned.night, parts)
    return nothing
  })
  const all: Readonly<Record<string, Effect.Effect<Acknowledged, unknown, unknown>>> = {
    night: Effect.map(night(games, null), acknowledged),
    part: inParts,
    release: Effect.map(
      workInBucket(
        address,
        writing<Republished>([gameId]),
        inFolder(() => runRelease({ gameId, wanted: null, why: null, takesBack: true }))
      ),
      (done) => republished(gameId, done)
    ),
    rollback: Effect.map(
      workInBucket(
        address,
        writing<Republished>([gameId]),
        inFolder(() => runRollback({ gameId, wanted: null, why: null }))
      ),
      (done) => republished(gameId, done)
    ),
    prune: Effect.as(
      workInBucket(
        address,
        pruneWork(),
        inFolder(() => runPrune({ days: null, last: 2, monthly: false }, false))
      ),
      nothing
    ),
    check: Effect.flatMap(examineBucket(address), ({ damaged }) => {
      // A report that the store has confirmed and lost is only reported.
      const isReport = (object: string) =>
        /\/[0-9a-f]{64}\.runs\./.test(object) && storeHere.store?.lost.has(object.slice("s3://lakes/".length)) === true
      const found = damaged.filter(({ object }) => !isReport(object))
      return found.length === 0
        ? Effect.succeed(nothing)
        : Effect.die(new Error(found.map(({ object, what }) => `${object}: ${what}`).join("; ")))
    })
  }
  const services = Context.make(BucketSettings, BucketSettings.of({ pathStyle: true, encryption: {} }))
  // @effect-diagnostics-next-line unsafeEffectTypeAssertion:off -- the commands differ in what they need
  return Effect.provide(Effect.scoped(all[command] ?? Effect.succeed(nothing)), services) as Effect.Effect<
    Acknowledged,
    unknown
  >
}
