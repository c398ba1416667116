import { Observation } from "../../../src/night/observe/Observation.ts"
import { assert, describe } from "@effect/vitest"
import { Clock, Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { setTimeout } from "node:timers/promises"
import { nightLog } from "../../../src/night/observe/nightLog.ts"
import type { NightOutcome } from "../../../src/night/observe/NightOutcome.ts"
import { postReport } from "../../../src/night/observe/postJson.ts"
import { startCollector } from "./Collector.ts"
import { effect } from "../../support/suite.ts"

const report = {
  run: null,
  startedAt: "2026-11-21T02:00:00.000Z",
  verdict: "failed",
  seconds: 1,
  games: [],
  reason: "No key"
} as const
const outcome: NightOutcome = { report, exitCode: 1, endedMillis: 0 }

/** Sends the report to a webhook with a secret path; returns what it received and what was logged. */
const sendTo = Effect.fnUntraced(function* (answer: (nth: number) => number | null, away = false) {
  const collector = yield* Effect.acquireRelease(
    Effect.promise(() => startCollector(answer)),
    (collector) => Effect.promise(collector.stop)
  )
  if (away) yield* Effect.promise(collector.stop)
  const said: Array<string> = []
  const started = yield* Clock.currentTimeMillis
  const sending = yield* postReport(Redacted.make(`${collector.url}/hooks/secret-token?t=secret-too`), outcome).pipe(
    Effect.provide(nightLog("text", (line) => said.push(line))),
    Effect.updateService(Observation, (one) => ({ ...one, hasEvents: true })),
    Effect.forkChild
  )
  // The network takes real time; the waits take the test clock's.
  while (sending.pollUnsafe() === undefined) {
    yield* Effect.promise(() => setTimeout(20))
    yield* TestClock.adjust("250 millis")
  }
  yield* Fiber.join(sending)
  return { ...collector, said: said.join(""), seconds: ((yield* Clock.currentTimeMillis) - started) / 1000 }
})

describe("the notification", () => {
  effect("is the report as JSON", function* () {
    const { received, said } = yield* sendTo(() => 204)
    assert.strictEqual(received.length, 1)
    assert.deepStrictEqual(JSON.parse(received[0]?.body ?? ""), report)
    assert.match(String(received[0]?.headers["content-type"]), /^application\/json/)
    assert.strictEqual(received[0]?.path, "/hooks/secret-token?t=secret-too")
    assert.strictEqual(said, "")
  })

  effect("is sent again after faults that tend to pass", function* () {
    const { received, said } = yield* sendTo((nth) => (nth < 3 ? 503 : 200))
    assert.strictEqual(received.length, 3)
    assert.strictEqual(said, "")
  })

  effect("that is refused is a warning that names the origin and no more", function* () {
    const { received, said, url } = yield* sendTo(() => 404)
    assert.strictEqual(received.length, 1)
    assert.strictEqual(
      said,
      `cardlake: The report did not reach ${url} (it answered 404). The night itself is complete\n`
    )
  })

  effect("that reaches nobody is a warning after a bounded time", function* () {
    const { said, seconds } = yield* sendTo(() => 200, true)
    assert.match(said, /did not reach http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\)/)
    assert.notInclude(said, "secret")
    assert.isBelow(seconds, 11)
  })

  effect("to a silent server is given up after about ten seconds", function* () {
    const { received, said, seconds } = yield* sendTo(() => null)
    assert.isAbove(received.length, 1)
    assert.match(said, /did not reach http:\/\/127\.0\.0\.1:\d+ \(no answer within/)
    assert.isBelow(seconds, 12)
  })
})
