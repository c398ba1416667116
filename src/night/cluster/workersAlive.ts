import { Effect, Layer, type Redacted } from "effect"
import { RunnerStorage, ShardingConfig, SqlRunnerStorage } from "effect/cluster"
import { deadAfter, tablesOf } from "./cluster.ts"
import { clusterPostgres } from "./clusterPostgres.ts"

/** How many workers Postgres heard of within the last seconds. */
export const workersAlive = RunnerStorage.RunnerStorage.pipe(
  Effect.flatMap(({ getRunners }) => getRunners),
  Effect.map((runners) => runners.filter(([{ groups }]) => groups.includes("default")).length)
)

/** Whether Postgres has the name of a member: from then on others count it. */
export const isRegistered = (name: string) =>
  RunnerStorage.RunnerStorage.pipe(
    Effect.flatMap(({ getRunners }) => getRunners),
    Effect.map((runners) => runners.some(([{ address }]) => address.host === name)),
    Effect.orElseSucceed(() => false)
  )

/** How many workers are alive, for whoever is no member. It changes nothing; a Postgres that no worker ever joined has none. */
export const workersOf = (home: string, postgres: Redacted.Redacted) => {
  const runners = SqlRunnerStorage.layerStorage({ prefix: tablesOf(home) }).pipe(
    Layer.provide(ShardingConfig.layer({ shardLockExpiration: deadAfter })),
    Layer.provide(clusterPostgres(postgres, "cardlake doctor", null))
  )
  const alive = Effect.orElseSucceed(workersAlive, () => 0)
  return Effect.scoped(Effect.flatMap(Layer.build(runners), (services) => Effect.provideContext(alive, services)))
}
