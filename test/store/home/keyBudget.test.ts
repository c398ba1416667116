import { afterAll, assert, describe, it } from "@effect/vitest"
import { startConditionalStore } from "./conditionalStore.ts"
import { Effect, Logger } from "effect"
import { withVariables } from "../../warehouse/Store.ts"
import { BucketSettings } from "../../../src/store/home/bucket/openBucket.ts"
import { openStore } from "../../../src/store/home/bucket/BucketStore.ts"
import { bucketBudgets } from "../../../src/store/home/bucket/budget/bucketBudgets.ts"
import { budgetKey, hashOfKey } from "../../../src/store/home/bucket/budget/keyDocument.ts"
import { examineBucket } from "../../../src/store/home/bucket/repair/examineBucket.ts"
import type { BudgetRequest } from "../../../src/feed/client/limiter/TokenStore.ts"

const key = "cl_test_5d0c1b7e92af4836"

describe("the document of a key", async () => {
  const store = await startConditionalStore()
  afterAll(store.stop)

  const minuteMillis = 2000
  const limit = { id: "60", limit: 60, room: 58, windowMillis: minuteMillis, want: 10, used: null, holdMillis: 0 }
  const asked: BudgetRequest = {
    limits: [{ ...limit, late: new Map() }],
    facts: [{ kind: "stated", operation: "products", game: null, bucket: "standard", limit: 60 }],
    leaseMillis: 100,
    travelMillis: 70,
    minuteMillis
  }
  /** A lease and a window; the store states whole seconds. */
  const soonMillis = minuteMillis + 100 + 2000

  /** Every number of a JSON text, in turn, as another one. */
  const withNumbers = (text: string, value: number): ReadonlyArray<string> =>
    [...text.matchAll(/(?<=[:[,])\d+(?:\.\d+)?(?=[,\]}])/g)].map(
      ({ 0: number, index }) => `${text.slice(0, index)}${value}${text.slice(index + number.length)}`
    )

  /** Neither a time nor a window: how many tokens were spent, and what an answer stated. */
  const isCount = (text: string, value: number): boolean =>
    text.includes(`,${value}]`) || text.includes(`"limit":${value}`)

  const spoiled = (text: string): ReadonlyArray<readonly [text: string, isReported: boolean]> => [
    ...["rubbish", "", "{}", text.slice(0, 40)].map((broken) => [broken, true] as const),
    ...[Date.UTC(2099, 0, 1), Date.now() + 300 * minuteMillis].flatMap((at) =>
      withNumbers(text, at).map((broken) => [broken, !isCount(broken, at)] as const)
    )
  ]

  it("a hold that one worker was asked for holds another one, and nothing in the bucket says the key", () =>
    Effect.gen(function* () {
      yield* withVariables(store.env)
      const lease = Effect.fnUntraced(function* (holdMillis: number) {
        const worker = yield* bucketBudgets(yield* openStore("s3://lakes/many"))(key)
        const { limits } = yield* worker.lease({ ...asked, limits: [{ ...limit, holdMillis, late: new Map() }] })
        return limits.get("60")?.waitMillis ?? 0
      })
      assert.strictEqual(yield* lease(0), 0)
      yield* lease(1500)
      assert.isAbove(yield* lease(0), 500)
      for (const [name, { body }] of store.objects) assert.notInclude(`${name} ${body.toString("utf8")}`, key)
    }).pipe(
      Effect.scoped,
      Effect.provideService(BucketSettings, { encryption: {}, pathStyle: true }),
      Effect.runPromise
    ))

  it("doctor names the budgets of a bucket that are damaged or far ahead, and no sound one", () =>
    Effect.gen(function* () {
      yield* withVariables(store.env)
      const budgets = bucketBudgets(yield* openStore("s3://lakes/doctor"))
      const at = (key: string) => Effect.map(hashOfKey(key), (hash) => `doctor/${budgetKey(hash)}`)
      yield* (yield* budgets("sound")).lease(asked)
      const text = store.objects.get(yield* at("sound"))?.body.toString("utf8") ?? ""
      const ahead = withNumbers(text, Date.UTC(2099, 0, 1)).find((one) => !isCount(one, Date.UTC(2099, 0, 1))) ?? ""
      for (const [key, body] of [
        ["damaged", "rubbish"],
        ["ahead", ahead]
      ] as const)
        store.objects.set(yield* at(key), { body: Buffer.from(body), tag: '"spoiled"', at: new Date() })
      const { damaged } = yield* examineBucket("s3://lakes/doctor")
      assert.deepStrictEqual(
        damaged.map(({ object }) => object).toSorted(),
        [`s3://lakes/${yield* at("damaged")}`, `s3://lakes/${yield* at("ahead")}`].toSorted()
      )
    }).pipe(
      Effect.scoped,
      Effect.provideService(BucketSettings, { encryption: {}, pathStyle: true }),
      Effect.runPromise
    ))

  it("a budget that is damaged or far ahead is started again and reported, and waited for a lease and a window", () =>
    Effect.gen(function* () {
      yield* withVariables(store.env)
      const budgets = bucketBudgets(yield* openStore("s3://lakes/home"))
      const path = `home/${budgetKey(yield* hashOfKey("key"))}`
      const { lease } = yield* budgets("key")
      yield* lease(asked)
      const sound = store.objects.get(path)?.body.toString("utf8") ?? ""
      assert.isAbove(spoiled(sound).length, 16)
      for (const [text, isReported] of spoiled(sound)) {
        store.objects.set(path, { body: Buffer.from(text), tag: '"spoiled"', at: new Date() })
        const said: Array<string> = []
        const hear = Logger.layer([Logger.make(({ message }) => void said.push(String(message)))])
        const { limits } = yield* Effect.provide(lease(asked), hear)
        assert.isBelow(limits.get("60")?.waitMillis ?? Infinity, soonMillis, text)
        assert.strictEqual(said.join().includes(path), isReported, `${said.join()}\n${text}`)
        assert.notStrictEqual(store.objects.get(path)?.body.toString("utf8"), text)
      }
    }).pipe(
      Effect.scoped,
      Effect.provideService(BucketSettings, { encryption: {}, pathStyle: true }),
      Effect.runPromise
    ))
})
