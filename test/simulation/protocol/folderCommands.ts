import { Context, Duration, Effect, FileSystem, PlatformError } from "effect"
import { Disk } from "../../../src/feed/disk/Disk.ts"
import { Marketplace } from "../../../src/feed/client/Marketplace.ts"
import { HoldBounds } from "../../../src/store/diff/judge.ts"
import { Home, homeIn, type HomePlace } from "../../../src/store/home/Home.ts"
import { Lake } from "../../../src/store/lake/duckdb/Lake.ts"
import { NightBound } from "../../../src/night/run/NightSettings.ts"
import { runNight } from "../../../src/night/run/runNight.ts"
import { runPrune } from "../../../src/night/run/runPrune.ts"
import { runRelease } from "../../../src/night/run/publishAs.ts"
import { runRollback } from "../../../src/night/run/runRollback.ts"
import { checkHome } from "../../../src/night/run/repair/runRepair.ts"
import type { RunReport } from "../../../src/night/observe/RunReport.ts"
import type { RunStep } from "../history.ts"
import type { Acknowledged } from "./drive.ts"
import type { Process, World } from "../machine/World.ts"
import { homeRoot } from "../machine/simulatedDisk.ts"
import { smallLake } from "../small/smallDuckDb.ts"

const nothing: Acknowledged = { run: "", published: [], verdicts: [] }

const noRequests = Effect.succeed(() => Effect.succeed({ requests: 0, retried: 0, waitedMillis: 0 }))
const marketplace = {
  countRequests: noRequests,
  granted: () => null,
  rateLimit: () => null,
  secondsOfNight: () => null
}

/** What a night says that it has published. */
export const acknowledged = ({ games, run }: RunReport): Acknowledged => ({
  run,
  published: games.flatMap(({ gameId, snapshot, verdict }) =>
    verdict === "published" && snapshot !== null ? [{ gameId, snapshot }] : []
  ),
  verdicts: games.map(({ gameId, reason, verdict }) => `${gameId} ${verdict}${reason === null ? "" : `: ${reason}`}`)
})

/** What a release or a rollback says. */
export const republished = (
  gameId: string,
  { run, snapshot }: { readonly run: string; readonly snapshot: string }
): Acknowledged => ({ ...nothing, run, published: [{ gameId, snapshot }] })

/** The commands of a folder home, by the code that the command line calls. */
export const folderCommand = ({ command, games }: RunStep): Effect.Effect<Acknowledged, unknown, unknown> => {
  const gameId = games[0] ?? "a"
  switch (command) {
    case "night":
      return Effect.map(
        runNight(games, () => {}),
        acknowledged
      )
    case "release":
      return Effect.map(runRelease({ gameId, wanted: null, why: null, takesBack: true }), (done) =>
        republished(gameId, done)
      )
    case "rollback":
      return Effect.map(runRollback({ gameId, wanted: null, why: null }), (done) => republished(gameId, done))
    case "prune":
      return Effect.as(runPrune({ days: null, last: 2, monthly: false }, false), nothing)
    default:
      return Effect.as(checkHome, nothing)
  }
}

/** Reads files as Effect's own service does; nothing at this level writes by it. */
const fileSystem = Effect.map(Disk, (disk) =>
  FileSystem.makeNoop({
    readFileString: (path) =>
      Effect.tryPromise({
        try: () => disk.readText(path),
        catch: () =>
          PlatformError.systemError({
            _tag: "NotFound",
            module: "FileSystem",
            method: "readFile",
            pathOrDescriptor: path
          })
      })
  })
)

/** Gives a command of a home its services. */
export const inSmallHome = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  {
    place,
    process,
    root = homeRoot,
    world
  }: { readonly world: World; readonly process: Process; readonly root?: string; readonly place?: HomePlace }
): Effect.Effect<A, E> =>
  Effect.flatMap(fileSystem, (files) => {
    const services = Context.empty().pipe(
      Context.add(Home, homeIn(root, place)),
      Context.add(Lake, smallLake(world, process)),
      Context.add(Marketplace, marketplace as unknown as Marketplace["Service"]),
      Context.add(HoldBounds, HoldBounds.of({ read: (_, preset) => Effect.succeed(preset) })),
      Context.add(NightBound, NightBound.of({ duration: Duration.hours(6) })),
      Context.add(FileSystem.FileSystem, files)
    )
    // @effect-diagnostics-next-line unsafeEffectTypeAssertion:off -- it has whatever a command needs
    return Effect.provide(effect, services) as Effect.Effect<A, E>
  })
