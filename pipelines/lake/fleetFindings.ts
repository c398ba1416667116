import { Effect, type Redacted } from "effect"
import { amountOf } from "../../src/store/diff/amountOf.ts"
import { bucketOf } from "../flags/inHome.ts"
import { fleetHome } from "../fleet/fleetMember.ts"
import { type Finding, type Findings, one, type Watch } from "./Finding.ts"

/** How many workers of a home's fleet are alive; nothing where there is no fleet. */
export const fleetFindings = Effect.fnUntraced(function* (
  flags: Record<string, string>,
  postgres: Redacted.Redacted | null,
  watch: Watch
) {
  const home = yield* Effect.orElseSucceed(bucketOf(flags), () => null)
  return home === null || postgres === null ? [] : yield* watch("the fleet")(workersFound(fleetHome(home), postgres))
})

const workersFound = (home: string, postgres: Redacted.Redacted): Findings =>
  Effect.gen(function* () {
    const { clusterName } = yield* Effect.promise(() => import("../../src/night/cluster/clusterPostgres.ts"))
    const { workersOf } = yield* Effect.promise(() => import("../../src/night/cluster/cluster.ts"))
    const alive = yield* workersOf(home, postgres)
    return [fleetText(alive, clusterName(postgres))]
  }).pipe(Effect.catch((fault) => one("fleet", Effect.fail(fault))))

const fleetText = (alive: number, at: string): Finding =>
  alive === 0
    ? {
        name: "fleet",
        ok: true,
        isDoubt: true,
        says: `No worker is alive at ${at}. Nights of the fleet wait for one: cardlake worker`
      }
    : { name: "fleet", ok: true, says: `${amountOf(alive, "worker")} alive at ${at}` }
