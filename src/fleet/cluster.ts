import { hash } from "node:crypto"
import { NodeCrypto } from "@effect/platform-node"
import { Layer, Option, type Redacted } from "effect"
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
import { patientMessages } from "./patientMessages.ts"
import { clusterPostgres } from "./clusterPostgres.ts"

/** What only schedules do. */
export const scheduleGroup = "schedule"

/** A worker that was not heard of for so long is dead. */
const deadAfter = "20 seconds"

export interface Member {
  readonly postgres: Redacted.Redacted
  /** The home that the fleet works for; each has its own tables. */
  readonly home: string
  /** Nobody else's. */
  readonly name: string
  /** `worker` does what nights need, `schedule` begins them, and `asker` waits for the end of one. */
  readonly role: "worker" | "schedule" | "asker"
}

/** What a member is called among the sessions of Postgres. */
export const applicationName = ({ name, role }: Pick<Member, "name" | "role">) => `cardlake ${role} ${name}`.slice(-60)

/** What the tables of a home's fleet begin with. */
export const tablesOf = (home: string): string => `cardlake_${hash("sha256", home).slice(0, 8)}`

/**
 * One member of the fleet. Members talk through Postgres alone and never to each other, so that a worker needs no
 * address that others reach.
 */
export const cluster = ({ home, name, postgres, role }: Member) => {
  const prefix = tablesOf(home)
  const settings = ShardingConfig.layer({
    runnerAddress: role === "asker" ? Option.none() : Option.some(RunnerAddress.make(name, 0)),
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
        tableName: `${prefix}_readings`,
        pollInterval: "2 seconds",
        lockRefreshInterval: "2 seconds",
        lockExpiration: deadAfter
      })
    )
  )
  const sharding = Sharding.layer.pipe(
    Layer.provideMerge(Runners.layerNoop),
    Layer.provideMerge(Layer.provide(patientMessages, SqlMessageStorage.layerWith({ prefix }))),
    Layer.provideMerge(SqlRunnerStorage.layerWith({ prefix })),
    Layer.provide([RunnerHealth.layerNoop, NodeCrypto.layerDigest]),
    Layer.provide(settings)
  )
  return Layer.mergeAll(Layer.provideMerge(ClusterWorkflowEngine.layer, sharding), queue, NodeCrypto.layerDigest).pipe(
    Layer.provideMerge(clusterPostgres(postgres, applicationName({ name, role })))
  )
}
