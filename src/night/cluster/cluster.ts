import { hash } from "node:crypto"
import { NodeCrypto } from "@effect/platform-node"
import { Layer, Option, type Redacted, Clock, Effect, Predicate } from "effect"
import {
  ClusterWorkflowEngine,
  RunnerAddress,
  RunnerHealth,
  Runners,
  Sharding,
  ShardingConfig,
  SqlMessageStorage,
  SqlRunnerStorage,
  MessageStorage,
  RunnerStorage
} from "effect/cluster"
import { PersistedQueue } from "effect/persistence"
import { clusterPostgres } from "./clusterPostgres.ts"

/** A worker that lost its locks may take a message unawares. By default the cluster retries after ten minutes. */
const offerEveryNanos = 20_000_000_000n

/** Reads messages again that were taken but not answered. A worker that is processing one ignores the repetition. */
const offeredAgain = (
  storage: MessageStorage.MessageStorage["Service"],
  runners: RunnerStorage.RunnerStorage["Service"],
  runner: RunnerAddress.RunnerAddress
) => {
  let offeredAt = 0n
  return Effect.fnUntraced(function* (...[shards, options]: Parameters<typeof storage.unprocessedMessages>) {
    const now = yield* Clock.monotonicTimeNanos
    if (now - offeredAt > offerEveryNanos) {
      // Reset only shards that this worker still holds, because it may have been frozen and lost others.
      const held = yield* Effect.orElseSucceed(runners.refresh(runner, shards), () => [])
      yield* storage.resetShards(held)
      offeredAt = now
    }
    return yield* storage.unprocessedMessages(shards, options)
  })
}

/**
 * Message storage whose first failure ends the member. Otherwise a failed write of a result would block its step
 * forever, and a message whose read failed would remain taken.
 */
export const failFast = (runner: RunnerAddress.RunnerAddress, onLost: (reason: string) => Effect.Effect<unknown>) => {
  const endMember = onLost("a message could not be stored in Postgres")
  const mortal =
    <Args extends ReadonlyArray<unknown>, A, E, R>(ask: (...args: Args) => Effect.Effect<A, E, R>) =>
    (...args: Args) =>
      Effect.tapError(
        Effect.suspend(() => ask(...args)),
        (error) => (Predicate.isTagged(error, "PersistenceError") ? endMember : Effect.void)
      )
  return Layer.effect(
    MessageStorage.MessageStorage,
    Effect.gen(function* () {
      const storage = yield* MessageStorage.MessageStorage
      const runners = yield* RunnerStorage.RunnerStorage
      return MessageStorage.MessageStorage.of({
        ...storage,
        saveRequest: mortal(storage.saveRequest),
        saveEnvelope: mortal(storage.saveEnvelope),
        saveReply: mortal(storage.saveReply),
        clearReplies: mortal(storage.clearReplies),
        clearAddress: mortal(storage.clearAddress),
        requestIdForPrimaryKey: mortal(storage.requestIdForPrimaryKey),
        repliesForUnfiltered: mortal(storage.repliesForUnfiltered),
        resetShards: mortal(storage.resetShards),
        resetAddress: mortal(storage.resetAddress),
        resetAddresses: mortal(storage.resetAddresses),
        resetRequests: mortal(storage.resetRequests),
        unprocessedMessages: mortal(offeredAgain(storage, runners, runner)),
        // This function uses `this` of the storage.
        unprocessedMessagesById: mortal((ids) => storage.unprocessedMessagesById(ids))
      })
    })
  )
}

export const scheduleGroup = "schedule"

/** A worker without heartbeat for this long is considered dead. */
export const deadAfter = "20 seconds"

export interface Member {
  readonly postgres: Redacted.Redacted
  /** The home that the fleet works for. Each home has its own tables. */
  readonly home: string
  /** The unique name of the member. */
  readonly name: string
  /** `worker` runs nights, `schedule` begins them, and `asker` waits for the end of one. */
  readonly role: "worker" | "schedule" | "asker"
}

/** The events that end a member. */
export interface Life {
  /** The application name of its Postgres sessions. The name is unique and changes on every restart. */
  readonly sessions: string
  readonly onLost: (reason: string) => Effect.Effect<unknown>
  /** Called after each failed connection to Postgres. Null means no retry. */
  readonly onOutage: ((reason: string) => Effect.Effect<void>) | null
}

export const tablePrefix = (home: string): string => `cardlake_${hash("sha256", home).slice(0, 8)}`

export const nameReadingsTable = (home: string): string => `${tablePrefix(home)}_readings`

/** A member of the fleet. Members communicate only through Postgres, so workers need no reachable address. */
export const cluster = ({ home, name, postgres, role }: Member, { onOutage, onLost, sessions }: Life) => {
  const prefix = tablePrefix(home)
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
        tableName: nameReadingsTable(home),
        pollInterval: "2 seconds",
        lockRefreshInterval: "2 seconds",
        lockExpiration: deadAfter
      })
    )
  )
  const sharding = Sharding.layer.pipe(
    Layer.provideMerge(Runners.layerNoop),
    Layer.provideMerge(Layer.provide(failFast(runner, onLost), SqlMessageStorage.layerWith({ prefix }))),
    Layer.provideMerge(SqlRunnerStorage.layerWith({ prefix })),
    Layer.provide([RunnerHealth.layerNoop, NodeCrypto.layerDigest]),
    Layer.provide(settings)
  )
  return Layer.mergeAll(Layer.provideMerge(ClusterWorkflowEngine.layer, sharding), queue, NodeCrypto.layerDigest).pipe(
    Layer.provideMerge(clusterPostgres(postgres, sessions, onOutage))
  )
}

/** The number of workers with a recent heartbeat in Postgres. */
export const workersAlive = RunnerStorage.RunnerStorage.pipe(
  Effect.flatMap(({ getRunners }) => getRunners),
  Effect.map((runners) => runners.filter(([{ groups }]) => groups.includes("default")).length)
)

/** True if the member is registered in Postgres, so that others count it. */
export const isRegistered = (name: string) =>
  RunnerStorage.RunnerStorage.pipe(
    Effect.flatMap(({ getRunners }) => getRunners),
    Effect.map((runners) => runners.some(([{ address }]) => address.host === name)),
    Effect.orElseSucceed(() => false)
  )

/** Counts live workers without joining the fleet. Writes nothing; a Postgres that no worker ever joined has none. */
export const countWorkers = (home: string, postgres: Redacted.Redacted) => {
  const runners = SqlRunnerStorage.layerStorage({ prefix: tablePrefix(home) }).pipe(
    Layer.provide(ShardingConfig.layer({ shardLockExpiration: deadAfter })),
    Layer.provide(clusterPostgres(postgres, "cardlake doctor", null))
  )
  const alive = Effect.orElseSucceed(workersAlive, () => 0)
  return Effect.scoped(Effect.flatMap(Layer.build(runners), (services) => Effect.provideContext(alive, services)))
}
