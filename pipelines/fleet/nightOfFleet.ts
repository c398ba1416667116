import { Clock, Console, DateTime, Effect, Option, type Redacted, Layer } from "effect"
import { clusterName } from "../../src/night/cluster/clusterPostgres.ts"
import { FleetNightFailed, type NightEnd } from "../../src/night/cluster/FleetSteps.ts"
import { askFleet } from "../../src/night/cluster/fleet.ts"
import { nightWarning } from "../../src/night/observe/nightEvent.ts"
import { exitCodeOfNight } from "../../src/night/observe/RunReport.ts"
import { amountOf } from "../../src/store/diff/amountOf.ts"
import { fleetMember } from "./fleetMember.ts"
import { BucketFailed } from "../../src/store/home/bucket/BucketFailed.ts"
import { GameUnknown } from "../../src/night/run/gamesOfNight.ts"
import { marketplaceServices } from "../settings/services.ts"
import { listedGames } from "./planOfFleet.ts"
import { isAway, storeOf, tryStore } from "./fleetStore.ts"

const answersWithin = "10 seconds"

/** Workers may be let in where this machine is not. */
const ownRights = /CredentialsProviderError|no region is set|AccessDenied|Forbidden|AllAccessDisabled/

const isOwn = (error: unknown): boolean =>
  isAway(error) || (error instanceof BucketFailed && ownRights.test(error.reason))

/**
 * Where no worker is there to say it: fails if the store has no such bucket, refuses the key or breaks its word. What
 * may be wrong on this machine alone is a warning.
 */
const storeForWorkers = (settings: Record<string, string>) =>
  tryStore(settings).pipe(
    Effect.timeoutOption(answersWithin),
    Effect.asVoid,
    Effect.catchIf(isOwn, (error) =>
      nightWarning("store", `${error.message}. Workers may be let in where this machine is not`)
    )
  )

/**
 * Where no worker is there to say it: fails if the marketplace has no such game. Only workers need its key, so it may be
 * that nothing is known here: false.
 */
const gamesForWorkers = (settings: Record<string, string>, named: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const services = yield* Layer.build(marketplaceServices(settings))
    yield* Effect.provideContext(listedGames(yield* storeOf(settings), named), services)
    return true
  }).pipe(
    Effect.scoped,
    Effect.timeout(answersWithin),
    Effect.catchIf(
      (error) => !(error instanceof GameUnknown),
      () => Effect.succeed(false)
    )
  )

export interface AskedNight {
  readonly games: ReadonlyArray<string>
  readonly settings: Record<string, string>
  readonly postgres: Redacted.Redacted
  readonly isText: boolean
}

const interruptedText = (workers: number | null): string => {
  if (workers === null) return "Interrupted before the fleet was asked; no night has begun"
  const goesOn = workers === 0 ? "the night waits for a worker, and then" : "the night"
  return `Interrupted; ${goesOn} goes on without this command. See how it ended with: cardlake runs. To wait for it, run this again: if it has ended by then, the next one begins`
}

/** Has the fleet do a night, and returns how it ended. */
export const nightOfFleet = Effect.fnUntraced(function* ({ games, isText, postgres, settings }: AskedNight) {
  const member = yield* fleetMember(settings, postgres, null)
  const name = `asked at ${DateTime.formatIso(yield* DateTime.now)} by ${member.name}`
  const say = (sentence: string) => (isText ? Console.error(sentence) : Effect.void)
  let asked: number | null = null
  const onAsk = Effect.fnUntraced(function* (workers: number) {
    const none = `No worker of ${member.home} is alive at ${clusterName(postgres)}. The night waits for one: cardlake worker`
    yield* say(
      workers === 0 ? none : `${amountOf(workers, "worker")} of ${member.home}. The night goes on without this command`
    )
    if (workers === 0) {
      yield* storeForWorkers(settings)
      if (games.length > 0 && !(yield* gamesForWorkers(settings, games)))
        yield* say(`A worker will say whether the marketplace has ${games.join(", ")}: it was not asked from here`)
    }
    asked = workers
  })
  return yield* Effect.onInterrupt(askFleet(member, { name, games, onAsk }), () =>
    nightWarning("interrupted", interruptedText(asked))
  )
})

/** Sends and writes how a night of the fleet ended; one that could not be planned or published fails then. */
export const tellNight = Effect.fnUntraced(function* (
  end: NightEnd,
  {
    notify,
    prometheus
  }: { readonly notify: Option.Option<Redacted.Redacted>; readonly prometheus: Option.Option<string> }
) {
  const { exitCode = 1, ...report } = end
  const { reason, seconds, startedAt } = report
  const endedMillis = yield* Clock.currentTimeMillis
  const outcome =
    reason === undefined
      ? { report, exitCode: exitCodeOfNight(report), endedMillis }
      : {
          report: { run: null, startedAt, verdict: "failed" as const, seconds, games: [] as const, reason },
          exitCode,
          endedMillis
        }
  if (Option.isSome(prometheus)) {
    const { writePrometheus } = yield* Effect.promise(() => import("../../src/night/observe/writePrometheus.ts"))
    yield* writePrometheus(prometheus.value, outcome)
  }
  if (Option.isSome(notify)) {
    const { postReport } = yield* Effect.promise(() => import("../../src/night/observe/postJson.ts"))
    yield* postReport(notify.value, outcome)
  }
  return reason === undefined ? report : yield* new FleetNightFailed({ reason, exitCode })
})
