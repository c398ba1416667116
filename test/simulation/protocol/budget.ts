import { Clock, Context, Effect } from "effect"
import { RateLimiter } from "../../../src/feed/client/limiter/RateLimiter.ts"
import { openStore } from "../../../src/store/home/bucket/BucketStore.ts"
import { BucketSettings } from "../../../src/store/home/bucket/openBucket.ts"
import { bucketBudgets } from "../../../src/store/home/bucket/budget/bucketBudgets.ts"
import { goodStore, Store, storeHere } from "../bucket/Store.ts"
import { type History, type RunStep, type Step, Violation } from "../history.ts"
import { randomOf } from "../machine/random.ts"
import type { Fault, World } from "../machine/World.ts"
import { type Acknowledged, runIn } from "./drive.ts"

const minuteMillis = 60_000

/** The marketplace of a history: how many requests it answers in a minute, and when they arrived. */
const service: { limit: number; arrived: Array<number>; refused: number } = { limit: 60, arrived: [], refused: 0 }

/** The steps of a seed in which workers share the budget of a key. */
export const generateBudget = (seed: number): History => {
  const random = randomOf(seed)
  const workers = 2 + random.int(3)
  const steps: Array<Step> = []
  for (let at = 0; at < workers; at++) {
    const fault: Fault = { kind: "kill", at: 1 + random.int(200), millis: 0 }
    steps.push({
      does: "run",
      command: `work ${1 + random.int(3)}`,
      games: [],
      host: at,
      clockAhead: random.chance(0.4) ? random.int(600_000) - 300_000 : 0,
      fault: random.chance(0.3) ? fault : null,
      goesOnAfter: random.int(30_000)
    })
  }
  return { seed, kind: "budget", steps }
}

/** Asks the marketplace: the answer says how many requests are left in the minute before it. */
const ask = (world: World, limiter: RateLimiter, travelMillis: number) => {
  const asker = { operation: "products", game: null }
  const request = Effect.gen(function* () {
    const sentMillis = yield* limiter.nowMillis
    const left = yield* Effect.promise(() =>
      world.operate("request", "", travelMillis, () => {
        const { arrived, limit } = service
        const counted = arrived.filter((at) => at > world.now - minuteMillis).length
        if (counted >= limit) service.refused++
        arrived.push(world.now)
        return limit - counted - 1
      })
    )
    yield* Effect.promise(() => world.operate("answer", "", travelMillis, () => null))
    return { left, sentMillis }
  })
  return Effect.gen(function* () {
    const { left, sentMillis } = yield* limiter.within(asker, request)
    const seen = { bucket: "global", limit: service.limit, remaining: Math.max(0, left) }
    const refusal = left < 0 ? { bucket: "global", limit: service.limit, waitMillis: minuteMillis } : null
    yield* limiter.ended(asker, { sentMillis, status: left < 0 ? 429 : 200, seen, refusal })
  })
}

const atOnce = 4

const work = (world: World, { command }: RunStep) =>
  Effect.gen(function* () {
    const store = yield* openStore("s3://lakes/home")
    const budget = yield* bucketBudgets(store)("the key")
    const clock = yield* Clock.Clock
    const sharing = { budget, wallMillis: () => clock.currentTimeMillisUnsafe() }
    const limiter = new RateLimiter({ common: 1, own: 1 }, minuteMillis, sharing)
    const end = world.now + Number(command.slice("work ".length)) * minuteMillis
    const travelMillis = 20 + world.random.int(500)
    const one = Effect.gen(function* () {
      while (world.now < end) yield* ask(world, limiter, travelMillis)
    })
    yield* Effect.all(
      Array.from({ length: atOnce }, () => one),
      { concurrency: "unbounded" }
    )
    return { run: "", published: [], verdicts: [] } satisfies Acknowledged
  }).pipe(
    Effect.scoped,
    Effect.provide(Context.make(BucketSettings, BucketSettings.of({ pathStyle: true, encryption: {} })))
  ) as Effect.Effect<Acknowledged, unknown>

/** More requests in any minute than the marketplace answers. */
const checkBudget = (): void => {
  const { arrived, limit } = service
  let from = 0
  for (const [to, at] of arrived.entries()) {
    while ((arrived[from] ?? at) <= at - minuteMillis) from++
    if (to - from + 1 > limit)
      throw new Violation("6 budget", `${to - from + 1} requests in a minute, and the limit is ${limit}`)
  }
}

/** Runs a history in which workers share the budget of a key. */
export const runBudget = runIn({
  begin: (world, { seed }) => {
    const random = randomOf(seed, 3)
    const share = (chance: number, most: number) => (random.chance(chance) ? random.next() * most : 0)
    storeHere.store = new Store(world, {
      ...goodStore,
      conflict: share(0.3, 0.1),
      lostAnswer: share(0.3, 0.1),
      failure: share(0.3, 0.1),
      clockAhead: random.chance(0.5) ? random.int(7_200_000) - 3_600_000 : 0
    })
    Object.assign(service, { limit: 20 + random.int(60), arrived: [], refused: 0 })
  },
  commandOf: (world, _, step) => work(world, step),
  check: checkBudget,
  calm: () => {},
  last: () => []
})
