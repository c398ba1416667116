import { hash } from "node:crypto"
import { NodeCrypto } from "@effect/platform-node"
import { Layer, Option } from "effect"
import {
  ClusterWorkflowEngine,
  RunnerAddress,
  RunnerHealth,
  Runners,
  Sharding,
  ShardingConfig,
  SqlMessageStorage,
  SqlRunnerStorage
} from "effect/cluster"
import { PersistedQueue } from "effect/persistence"

/** A worker that was not heard of for so long is dead. */
const deadAfter = "20 seconds"

export interface ClusterOptions {
  /** The home that the fleet works for; each has its own tables. */
  readonly home: string
  /** Null: this process only asks, and does nothing for the fleet. */
  readonly worker: string | null
}

/** What the tables of a home's fleet begin with. */
const tablesOf = (home: string): string => `cardlake_${hash("sha256", home).slice(0, 8)}`

/**
 * One member of the fleet. Members talk through Postgres alone and never to each other, so that a worker needs no
 * address that others reach.
 */
export const cluster = ({ home, worker }: ClusterOptions) => {
  const prefix = tablesOf(home)
  const settings = ShardingConfig.layer({
    runnerAddress: worker === null ? Option.none() : Option.some(RunnerAddress.make(worker, 0)),
    availableShardGroups: ["default", "schedule"],
    assignedShardGroups: ["default", "schedule"],
    shardsPerGroup: 24,
    shardLockExpiration: deadAfter,
    shardLockRefreshInterval: "5 seconds",
    entityMessagePollInterval: "2 seconds",
    entityReplyPollInterval: "500 millis",
    refreshAssignmentsInterval: "2 seconds"
  })
  const queue = PersistedQueue.layer.pipe(
    Layer.provide(
      PersistedQueue.layerStoreSql({
        tableName: `${prefix}_readings`,
        pollInterval: "2 seconds",
        lockRefreshInterval: "2 seconds",
        lockExpiration: deadAfter
      })
    )
  )
  const sharding = Sharding.layer.pipe(
    Layer.provideMerge(Runners.layerNoop),
    Layer.provideMerge(SqlMessageStorage.layerWith({ prefix })),
    Layer.provideMerge(SqlRunnerStorage.layerWith({ prefix })),
    Layer.provide([RunnerHealth.layerNoop, NodeCrypto.layerDigest]),
    Layer.provide(settings)
  )
  return Layer.mergeAll(Layer.provideMerge(ClusterWorkflowEngine.layer, sharding), queue, NodeCrypto.layerDigest)
}
