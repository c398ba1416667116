import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import type { FaultRule } from "../../src/market/faults/FaultPlan.ts"
import { faultySandbox, productsAt, struckPage } from "./FaultySandbox.ts"
import type { Body } from "./Served.ts"
import { values } from "../support/sandbox.ts"
import { live } from "../support/suite.ts"

const differing = (a: Body | undefined, b: Body | undefined) =>
  (a?.data ?? []).flatMap((item, place) => (JSON.stringify(item) === JSON.stringify(b?.data[place]) ? [] : [place]))

describe("a fault on request", () => {
  const lost: ReadonlyArray<FaultRule> = [{ kind: "reset" }, { kind: "reset-body" }]
  for (const rule of lost) {
    live(`${rule.kind}: the connection is reset ${rule.kind === "reset" ? "before" : "after"} the head`, function* () {
      const { clean, injected, struck } = yield* struckPage(rule)
      assert.isDefined(struck.lost)
      assert.strictEqual(struck.status, rule.kind === "reset" ? 0 : 200)
      assert.deepEqual([clean.status, clean.lost, injected], [200, undefined, 1])
    })
  }

  for (const kind of ["truncated", "invalid-json", "html", "empty"] as const) {
    live(`${kind}: 200 and no JSON`, function* () {
      const { clean, injected, struck } = yield* struckPage({ kind })
      assert.isTrue(struck.status === 200 && struck.json === undefined)
      assert.isTrue(clean.json !== undefined && injected === 1)
      if (kind === "html") assert.include(struck.headers.get("content-type"), "text/html")
      if (kind === "empty") assert.strictEqual(struck.text, "")
    })
  }

  live("invalid-gzip: a body that claims gzip and cannot be unpacked", function* () {
    const { struck } = yield* struckPage({ kind: "invalid-gzip" })
    assert.deepEqual([struck.status, struck.headers.get("content-encoding")], [200, "gzip"])
    assert.isDefined(struck.lost)
  })

  live("delay: the same answer, late", function* () {
    const { clean, struck } = yield* struckPage({ kind: "delay", millis: 150 })
    assert.strictEqual(struck.text, clean.text)
    assert.isAtLeast(struck.millis, 149)
  })

  live("drip: the same answer in small pieces", function* () {
    const { clean, struck } = yield* struckPage({ kind: "drip", bytes: 4000, millis: 10 })
    assert.strictEqual(struck.text, clean.text)
    assert.isAbove(struck.millis, 20)
  })

  for (const header of [true, false]) {
    live(`rate-limited: 429 with documented data, ${header ? "with" : "without"} Retry-After`, function* () {
      const { struck } = yield* struckPage({ kind: "rate-limited", limit: 60, retryAfter: 0.5, header })
      assert.deepEqual([struck.status, struck.json?.code], [429, "TOO_MANY_REQUESTS"])
      assert.deepEqual({ ...struck.json?.data }, { bucket: "global", limit: 60, retryAfter: 0.5 })
      assert.strictEqual(struck.headers.get("retry-after"), header ? "0.5" : null)
      assert.isNotNull(struck.headers.get("x-request-id"))
    })
  }

  for (const status of [500, 502, 503] as const) {
    live(`server-error: ${status} with the envelope, and without`, function* () {
      const documented = yield* struckPage({ kind: "server-error", status, envelope: true })
      assert.deepEqual([documented.struck.status, documented.struck.json?.status], [status, status])
      const foreign = yield* struckPage({ kind: "server-error", status, envelope: false })
      assert.deepEqual([foreign.struck.status, foreign.struck.json], [status, undefined])
    })
  }

  live("not-found-500: a permanent code under 500", function* () {
    const { ask } = yield* faultySandbox({ rules: [{ kind: "not-found-500" }] })
    const { json, status } = yield* ask("/v1/games/emberfall/expansions")
    assert.deepEqual([status, json?.code, json?.data["gameId"]], [500, "GAME_NOT_FOUND", "emberfall"])
  })

  live("revoked: 401 from that request on", function* () {
    const { ask } = yield* faultySandbox({ rules: [{ kind: "revoked", at: [2] }] })
    const answers = yield* Effect.forEach([1, 2, 3, 4], () => ask("/v1/games"))
    assert.deepEqual(values(answers, "status"), [200, 401, 401, 401])
  })

  live("revoked for a number of requests: after them the key is good again", function* () {
    const { ask } = yield* faultySandbox({ rules: [{ kind: "revoked", at: [1], requests: 2 }] })
    const answers = yield* Effect.forEach([1, 2, 3], () => ask("/v1/games"))
    assert.deepEqual(values(answers, "status"), [401, 401, 200])
  })

  for (const [when, steps, seen] of [
    ["before", 1, 908],
    ["after", 1, 900],
    ["before", 3, 921]
  ] as const) {
    live(`redeploy: ${steps} deployment(s) go live ${when} the answer`, function* () {
      const { sandbox, ask } = yield* faultySandbox({
        rules: [{ kind: "redeploy", endpoint: "products", offset: 200, times: 1, when, steps }]
      })
      assert.strictEqual((yield* ask(...productsAt(0))).json?.pagination.total, 900)
      assert.strictEqual((yield* ask(...productsAt(200))).json?.pagination.total, seen)
      const [emberfall] = yield* sandbox.games
      assert.strictEqual(emberfall?.place, 1 + steps)
    })
  }

  live("unknown-key: one record has one more key", function* () {
    const { clean, struck } = yield* struckPage({ kind: "unknown-key", key: "mystery" })
    assert.strictEqual(struck.text.replace('"mystery":"unknown",', ""), clean.text)
    assert.strictEqual(differing(struck.json, clean.json).length, 1)
  })
})
