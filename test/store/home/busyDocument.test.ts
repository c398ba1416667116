import { assert } from "@effect/vitest"
import { setTimeout } from "node:timers/promises"
import { Effect, Fiber, Logger } from "effect"
import { TestClock } from "effect/testing"
import { BucketSettings } from "../../../src/store/home/bucket/BucketSettings.ts"
import { openStore } from "../../../src/store/home/bucket/BucketStore.ts"
import { swapDocument } from "../../../src/store/home/bucket/bucketDocuments.ts"
import { lakeKey } from "../../../src/store/home/bucket/bucketKeys.ts"
import { emptyLake } from "../../../src/store/home/bucket/checkOut.ts"
import { LakeDocument } from "../../../src/store/home/bucket/documents.ts"
import { withVariables } from "../../warehouse/Store.ts"
import { startConditionalStore } from "./conditionalStore.ts"
import { effect } from "../../support/suite.ts"

effect("whoever waits ten seconds because others write a document says so, once, and goes on", () =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => startConditionalStore()),
      (one) => Effect.promise(() => one.stop())
    )
    yield* withVariables(server.env)
    const store = yield* openStore("s3://lakes/busy")
    const told: Array<string> = []
    let refused = 0
    server.state.before = ({ method }, response) => {
      if (method !== "PUT" || refused === 12) return false
      refused++
      response.writeHead(412).end("<Error><Code>PreconditionFailed</Code></Error>")
      return true
    }
    const swap = swapDocument(store, lakeKey, LakeDocument, () => Effect.succeed(emptyLake)).pipe(
      Effect.provide(Logger.layer([Logger.make(({ message }) => void told.push(String(message)))]))
    )
    const swapping = yield* Effect.forkChild(swap)
    for (let steps = 0; steps < 500 && swapping.pollUnsafe() === undefined; steps++) {
      yield* TestClock.adjust("200 millis")
      yield* Effect.promise(() => setTimeout(5))
    }
    assert.deepStrictEqual((yield* Fiber.join(swapping))?.games, {})
    assert.deepStrictEqual(told, [
      "Others write s3://lakes/busy/lake.json at the same time. It is tried again, for two minutes"
    ])
  }).pipe(Effect.provideService(BucketSettings, { pathStyle: true, encryption: {} }), Effect.scoped)
)
