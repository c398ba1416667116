import { Console, DateTime, Effect, type Redacted } from "effect"
import { listGames } from "../../src/feed/reading/listGames.ts"
import { clusterName } from "../../src/night/cluster/clusterPostgres.ts"
import { askFleet } from "../../src/night/cluster/fleet.ts"
import { nightWarning } from "../../src/night/observe/Observation.ts"
import type { LogForm } from "../../src/night/observe/nightLog.ts"
import { GameUnknown } from "../../src/night/run/gamesOfNight.ts"
import { formatAmount } from "../../src/store/diff/formatAmount.ts"
import { BucketFailed } from "../../src/store/home/bucket/BucketFailed.ts"
import type { BucketStore } from "../../src/store/home/bucket/BucketStore.ts"
import { readLake } from "../../src/store/home/bucket/gameInBucket.ts"
import { marketplaceServices } from "../settings/marketServices.ts"
import { withServices } from "../settings/services.ts"
import { fleetMember } from "./fleetMember.ts"
import { isUnreachable, openBucketStore, tryStore } from "./fleetStore.ts"

const answersWithin = "10 seconds"

/** Access errors of this machine that workers may not have. */
const ownRights = /CredentialsProviderError|RegionMissing|AccessDenied|Forbidden|AllAccessDisabled/

const isOwn = (error: unknown): boolean =>
  isUnreachable(error) || (error instanceof BucketFailed && ownRights.test(error.code ?? ""))

/** Checks the bucket if no worker is alive to do it. Errors that may concern only this machine are warnings. */
const storeForWorkers = (settings: Record<string, string>) =>
  tryStore(settings).pipe(
    Effect.timeoutOption(answersWithin),
    Effect.asVoid,
    Effect.catchIf(isOwn, (error) =>
      nightWarning("store", `${error.message}. Workers may have access that this machine lacks`)
    )
  )

export const listedGames = Effect.fnUntraced(function* (store: BucketStore, named: ReadonlyArray<string>) {
  const { gameIds } = yield* listGames
  const wanted = named.filter((gameId) => !gameIds.includes(gameId))
  if (wanted.length === 0) return
  const lake = yield* readLake(store)
  const inLake = new Set(Object.keys(lake?.commit.games ?? {}))
  return yield* new GameUnknown({ wanted, offered: gameIds, kept: wanted.filter((gameId) => inLake.has(gameId)) })
})

/** Checks the games if no worker is alive to do it. False if this machine cannot, as only workers need the key. */
const gamesForWorkers = (settings: Record<string, string>, named: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    yield* withServices(marketplaceServices(settings))(listedGames(yield* openBucketStore(settings), named))
    return true
  }).pipe(
    Effect.scoped,
    Effect.timeout(answersWithin),
    Effect.catchIf(
      (error) => !(error instanceof GameUnknown),
      () => Effect.succeed(false)
    )
  )

interface NightRequest {
  readonly games: ReadonlyArray<string>
  readonly settings: Record<string, string>
  readonly cluster: Redacted.Redacted
  readonly log: LogForm
}

const interruptedText = (workers: number | null): string => {
  if (workers === null) return "Interrupted before the fleet got the request; no night has begun"
  const goesOn = workers === 0 ? "the night waits for a worker, and then" : "the night"
  return `Interrupted; ${goesOn} continues without this command. See its result: cardlake runs. To wait for it, run this again; if it has ended, the next night begins`
}

export const nightOfFleet = Effect.fnUntraced(function* ({ cluster, games, log, settings }: NightRequest) {
  const member = yield* fleetMember(settings, cluster, null)
  const name = `asked at ${DateTime.formatIso(yield* DateTime.now)} by ${member.name}`
  const say = (sentence: string) => (log === "text" ? Console.error(sentence) : Effect.void)
  let workerCount: number | null = null
  const onAsk = Effect.fnUntraced(function* (workers: number) {
    const none = `No worker of ${member.home} is alive at ${clusterName(cluster)}. The night waits for one. Start it with: cardlake worker`
    yield* say(
      workers === 0
        ? none
        : `${formatAmount(workers, "worker")} of ${member.home}. The night continues without this command`
    )
    if (workers === 0) {
      yield* storeForWorkers(settings)
      if (games.length > 0 && !(yield* gamesForWorkers(settings, games)))
        yield* say(`This machine could not check that the marketplace has ${games.join(", ")}; a worker will`)
    }
    workerCount = workers
  })
  return yield* Effect.onInterrupt(askFleet(member, { name, games, onAsk }), () =>
    nightWarning("interrupted", interruptedText(workerCount))
  )
})
