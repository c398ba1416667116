import { Effect, Layer } from "effect"
import { BucketFailed } from "../../src/home/bucket/BucketFailed.ts"
import { nightWarning } from "../../src/observe/nightEvent.ts"
import { GameUnknown } from "../../src/run/gamesOfNight.ts"
import { marketplaceServices } from "../settings/services.ts"
import { listedGames } from "./planOfFleet.ts"
import { isAway, storeOf, tryStore } from "./tryStore.ts"

const answersWithin = "10 seconds"

/** Workers may be let in where this machine is not. */
const ownRights = /CredentialsProviderError|no region is set|AccessDenied|Forbidden|AllAccessDisabled/

const isOwn = (error: unknown): boolean =>
  isAway(error) || (error instanceof BucketFailed && ownRights.test(error.reason))

/**
 * Where no worker is there to say it: fails if the store has no such bucket, refuses the key or breaks its word. What
 * may be wrong on this machine alone is a warning.
 */
export const storeForWorkers = (settings: Record<string, string>) =>
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
export const gamesForWorkers = (settings: Record<string, string>, named: ReadonlyArray<string>) =>
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
