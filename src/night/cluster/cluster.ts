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

/** A worker that lost its locks may take a message before it notices. The cluster waits ten minutes for such a one. */
const offerEveryNanos = 20_000_000_000n

/** Reads messages; those that were taken and have no answer, too. Whoever is at work on one knows it and leaves it. */
const offeredAgain = (
  storage: MessageStorage.MessageStorage["Service"],
  runners: RunnerStorage.RunnerStorage["Service"],
  runner: RunnerAddress.RunnerAddress
) => {
  let offeredAt = 0n
  return Effect.fnUntraced(function* (...[shards, options]: Parameters<typeof storage.unprocessedMessages>) {
    const now = yield* Clock.monotonicTimeNanos
    if (now - offeredAt > offerEveryNanos) {
      // Not those of others, who are at work, by a worker that was frozen.
      const held = yield* Effect.orElseSucceed(runners.refresh(runner, shards), () => [])
      yield* storage.resetShards(held)
      offeredAt = now
    }
    return yield* storage.unprocessedMessages(shards, options)
  })
}

/**
 * The messages of a fleet, whose first failure ends the member. By itself, one that could not write for a second how a
 * step ended would wait for that step for ever, and a message whose reading was not answered stays taken.
 */
export const mortalMessages = (
  runner: RunnerAddress.RunnerAddress,
  onLost: (reason: string) => Effect.Effect<unknown>
) => {
  const lost = onLost("a message could not be kept in Postgres")
  const mortal =
    <Args extends ReadonlyArray<unknown>, A, E, R>(ask: (...args: Args) => Effect.Effect<A, E, R>) =>
    (...args: Args) =>
      Effect.tapError(
        Effect.suspend(() => ask(...args)),
        (error) => (Predicate.isTagged(error, "PersistenceError") ? lost : Effect.void)
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
        // It reads what `this` is.
        unprocessedMessagesById: mortal((ids) => storage.unprocessedMessagesById(ids))
      })
    })
  )
}

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
