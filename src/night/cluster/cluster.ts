import { hash } from "node:crypto"
import { NodeCrypto } from "@effect/platform-node"
import { type Effect, Layer, Option, type Redacted } from "effect"
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
import { clusterPostgres } from "./clusterPostgres.ts"
import { mortalMessages } from "./mortalMessages.ts"

/** What only schedules do. */
export const scheduleGroup = "schedule"

/** A worker that was not heard of for so long is dead. */
export const deadAfter = "20 seconds"

export interface Member {
  readonly postgres: Redacted.Redacted
  /** The home that the fleet works for; each has its own tables. */
  readonly home: string
  /** Nobody else's. */
  readonly name: string
  /** `worker` does what nights need, `schedule` begins them, and `asker` waits for the end of one. */
  readonly role: "worker" | "schedule" | "asker"
}

/** What ends a member that is not one any more. */
export interface Life {
  /** What its sessions in Postgres are called: nobody else's are, not even those it had before it started again. */
  readonly sessions: string
  readonly onLost: (reason: string) => Effect.Effect<unknown>
  /** Called for each time that Postgres was not there; null: it is not waited for. */
  readonly onAway: ((reason: string) => Effect.Effect<void>) | null
}

/** What the tables of a home's fleet begin with. */
export const tablesOf = (home: string): string => `cardlake_${hash("sha256", home).slice(0, 8)}`

/** The table of the games that wait. */
export const readingsOf = (home: string): string => `${tablesOf(home)}_readings`

/**
 * One member of the fleet. Members talk through Postgres alone and never to each other, so that a worker needs no
 * address that others reach.
 */
export const cluster = ({ home, name, postgres, role }: Member, { onAway, onLost, sessions }: Life) => {
  const prefix = tablesOf(home)
  const runner = RunnerAddress.make(name, 0)
  const settings = ShardingConfig.layer({
    runnerAddress: role === "asker" ? Option.none() : Option.some(runner),
    availableShardGroups: ["default", scheduleGroup],
    assignedShardGroups: [role === "schedule" ? scheduleGroup : "default"],
    shardLockExpiration: deadAfter,
    shardLockRefreshInterval: "5 seconds",
    entityMessagePollInterval: "2 seconds",
    entityReplyPollInterval: "500 millis",
    refreshAssignmentsInterval: "2 seconds"
  })
  const queue = PersistedQueue.layer.pipe(
    Layer.provide(
      PersistedQueue.layerStoreSql({
        tableName: readingsOf(home),
        pollInterval: "2 seconds",
        lockRefreshInterval: "2 seconds",
        lockExpiration: deadAfter
      })
    )
  )
  const sharding = Sharding.layer.pipe(
    Layer.provideMerge(Runners.layerNoop),
    Layer.provideMerge(Layer.provide(mortalMessages(runner, onLost), SqlMessageStorage.layerWith({ prefix }))),
    Layer.provideMerge(SqlRunnerStorage.layerWith({ prefix })),
    Layer.provide([RunnerHealth.layerNoop, NodeCrypto.layerDigest]),
    Layer.provide(settings)
  )
  return Layer.mergeAll(Layer.provideMerge(ClusterWorkflowEngine.layer, sharding), queue, NodeCrypto.layerDigest).pipe(
    Layer.provideMerge(clusterPostgres(postgres, sessions, onAway))
  )
}
