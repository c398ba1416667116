import { hash } from "node:crypto"
import { Context, Effect, Random, Schema } from "effect"
import type { BucketFailed } from "../../../src/store/home/bucket/BucketFailed.ts"
import { type BucketStore, openStore } from "../../../src/store/home/bucket/BucketStore.ts"
import { BucketSettings } from "../../../src/store/home/bucket/openBucket.ts"
import { collectLog, headOfLastWeek } from "../../../src/store/home/bucket/namedKeys.ts"
import {
  commitFields,
  type CommitLog,
  continueLog,
  examineLog,
  readCommit,
  readHead,
  type Stored,
  sumOfCommit
} from "../../../src/store/home/bucket/log/commitLog.ts"
import { objectKey, storeObjects, newAttempt } from "../../../src/store/home/bucket/log/objects.ts"
import { storeHere } from "../bucket/Store.ts"
import type { RunStep } from "../history.ts"
import type { Process, World } from "../machine/World.ts"
import type { Acknowledged } from "./drive.ts"

export const dayMillis = 24 * 60 * 60_000
export const games = ["a", "b"]

/** A commit of a game: the steps that commands have taken, and the objects that they have stored. */
const GameCommit = Schema.Struct({
  ...commitFields,
  steps: Schema.Array(Schema.String),
  objects: Schema.Array(Schema.String),
  marks: Schema.Int
})
export type GameCommit = typeof GameCommit.Type

const LakeCommit = Schema.Struct({
  ...commitFields,
  games: Schema.Record(Schema.String, Schema.Struct({ number: Schema.Int, sum: Schema.String })),
  objects: Schema.Array(Schema.String)
})
export type LakeCommit = typeof LakeCommit.Type

const gameLog = (gameId: string): CommitLog<GameCommit> => ({ room: `games/${gameId}`, schema: GameCommit })
const lakeLog: CommitLog<LakeCommit> = { room: "lake", schema: LakeCommit }

const store = openStore("s3://lakes/home")

/** Stores objects of an attempt, as many as a random number says. */
const storeSome = (bucket: BucketStore, room: string, attempt: string, step: string) =>
  Effect.gen(function* () {
    const count = 1 + (yield* Random.nextIntBetween(0, 2))
    const objects = Array.from({ length: count }, (_, at) => {
      const body = Buffer.from(`${step} ${at}`)
      const key = objectKey(room, attempt, hash("sha256", body), "txt")
      return { key, from: [body], sizeBytes: body.length }
    })
    yield* storeObjects(bucket, { room, attempt }, objects)
    return objects.map(({ key }) => key)
  })

/** Publishes the newest commits of these games. A commit never replaces a newer one. */
const publish = (
  bucket: BucketStore,
  from: Stored<LakeCommit> | null,
  ready: ReadonlyMap<string, Stored<GameCommit>>
) =>
  Effect.gen(function* () {
    const next = (base: Stored<LakeCommit> | null, attempt: string) =>
      Effect.gen(function* () {
        const named = { ...base?.commit.games }
        for (const [gameId, head] of ready)
          if (head.number > (named[gameId]?.number ?? 0))
            named[gameId] = { number: head.number, sum: sumOfCommit(head) ?? "" }
        if (JSON.stringify(named) === JSON.stringify(base?.commit.games ?? {})) return null
        const objects = yield* storeSome(bucket, "lake", attempt, "report")
        return { lowest: 1, ...base?.commit, games: named, objects: [...(base?.commit.objects ?? []), ...objects] }
      })
    return yield* continueLog(bucket, lakeLog, { from, attempt: yield* newAttempt, next })
  })

const readGame = (bucket: BucketStore, lake: Stored<LakeCommit> | null, gameId: string) =>
  readHead(bucket, gameLog(gameId), lake?.commit.games[gameId]?.number)

const nothing: Acknowledged = { run: "", published: [], verdicts: [] }

const night = (gameId: string, run: string) =>
  Effect.gen(function* () {
    const bucket = yield* store
    const lake = yield* readHead(bucket, lakeLog)
    const from = yield* readGame(bucket, lake, gameId)
    const next = (base: Stored<GameCommit> | null, attempt: string) =>
      Effect.gen(function* () {
        const objects = yield* storeSome(bucket, `games/${gameId}`, attempt, run)
        const { marks = 0, objects: before = [], steps = [] } = base?.commit ?? {}
        // Every third object is replaced, so that it is garbage once no retained commit names it.
        const stay = before.filter((_, at) => at % 3 !== 2)
        return { lowest: base?.commit.lowest ?? 1, steps: [...steps, run], objects: [...stay, ...objects], marks }
      })
    const { head } = yield* continueLog(bucket, gameLog(gameId), { from, attempt: yield* newAttempt, next })
    if (head === null) return nothing
    yield* publish(bucket, lake, new Map([[gameId, head]]))
    return { run, published: [{ gameId, snapshot: run }], verdicts: [] }
  })

const mark = (gameId: string) =>
  Effect.gen(function* () {
    const bucket = yield* store
    const from = yield* readGame(bucket, yield* readHead(bucket, lakeLog), gameId)
    const next = (base: Stored<GameCommit> | null) =>
      Effect.succeed(base === null ? null : { ...base.commit, marks: base.commit.marks + 1 })
    yield* continueLog(bucket, gameLog(gameId), { from, attempt: yield* newAttempt, next })
    return nothing
  })

const publishAll = Effect.gen(function* () {
  const bucket = yield* store
  const lake = yield* readHead(bucket, lakeLog)
  const ready = new Map<string, Stored<GameCommit>>()
  for (const gameId of games) {
    const head = yield* readGame(bucket, lake, gameId)
    if (head !== null) ready.set(gameId, head)
  }
  yield* publish(bucket, lake, ready)
  return nothing
})

const collect = (world: World) =>
  Effect.gen(function* () {
    const bucket = yield* store
    const nowMillis = world.now + (storeHere.store?.faults.clockAhead ?? 0)
    const lake = yield* readHead(bucket, lakeLog)
    if (lake === null) return nothing
    const namedBy = ({ objects }: { readonly objects: ReadonlyArray<string> }) => Effect.succeed(new Set(objects))
    const lowest = yield* headOfLastWeek(bucket, "lake", nowMillis)
    // The lake comes first: none of its retained commits may name a commit of a game that is deleted.
    const { head } = yield* collectLog(bucket, lakeLog, { from: lake, lowest, namedBy, nowMillis })
    const first = yield* readCommit(bucket, lakeLog, head?.commit.lowest ?? lowest)
    for (const gameId of games)
      yield* collectLog(bucket, gameLog(gameId), {
        from: yield* readGame(bucket, lake, gameId),
        lowest: first?.commit.games[gameId]?.number ?? 1,
        namedBy,
        nowMillis
      })
    return nothing
  })

/** A loss that a reader meets within six days is a fault of the protocol. */
const lost = (world: World, since: number) => (error: BucketFailed) =>
  error.damage === undefined || world.now - since > 6 * dayMillis
    ? Effect.fail(error)
    : Effect.sync(() => broken.push(error.message))

/** What readers and checks have found wrong. */
export const broken: Array<string> = []

const read = (world: World) =>
  Effect.gen(function* () {
    const bucket = yield* store
    const since = world.now
    const lake = yield* readHead(bucket, lakeLog)
    yield* Effect.gen(function* () {
      for (const [gameId, { number, sum }] of Object.entries(lake?.commit.games ?? {})) {
        const commit = yield* readCommit(bucket, gameLog(gameId), number)
        const isWhole = commit !== null && sumOfCommit(commit) === sum
        if (!isWhole && world.now - since < 6 * dayMillis) broken.push(`${gameId} ${number} is not what is published`)
        yield* Effect.sleep(yield* Random.nextBetween(0, dayMillis))
        for (const key of commit?.commit.objects ?? [])
          yield* bucket.fetchText(key, /\/([0-9a-f]{64})\./.exec(key)?.[1] ?? "")
      }
    }).pipe(Effect.catchTag("BucketFailed", lost(world, since)))
    return nothing
  })

const check = Effect.gen(function* () {
  const bucket = yield* store
  const lake = yield* readHead(bucket, lakeLog)
  for (const gameId of games) {
    const { damage } = yield* examineLog(bucket, gameLog(gameId), lake?.commit.games[gameId])
    broken.push(...damage.map(({ key, what }) => `${key}: ${what}`))
  }
  broken.push(...(yield* examineLog(bucket, lakeLog)).damage.map(({ key, what }) => `${key}: ${what}`))
  return nothing
})

/** The commands of a history of logs. */
export const logCommand = (world: World, process: Process, { command, games: [gameId = "a"] }: RunStep) => {
  const all: Readonly<Record<string, Effect.Effect<Acknowledged, unknown, unknown>>> = {
    night: night(gameId, `run ${process.pid}`),
    mark: mark(gameId),
    publish: publishAll,
    collect: collect(world),
    read: read(world),
    check
  }
  const services = Context.make(BucketSettings, BucketSettings.of({ pathStyle: true, encryption: {} }))
  // @effect-diagnostics-next-line unsafeEffectTypeAssertion:off -- the commands differ in what they need
  return Effect.provide(Effect.scoped(all[command] ?? Effect.succeed(nothing)), services) as Effect.Effect<
    Acknowledged,
    unknown
  >
}
