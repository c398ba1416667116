import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule, Schema } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type FaultKind, type FaultPlan, ruleOfKind } from "../../src/market/faults/FaultPlan.ts"
import { makeFaultLedger } from "../../src/market/faults/Faults.ts"
import { serveSandbox } from "../../src/market/serveSandbox.ts"
import { checkFaultPlan, readFaultPlan } from "../../src/market/faults/readFaultPlan.ts"
import { faultySandbox, productsAt } from "./FaultySandbox.ts"
import { upload } from "./jobs/upload.ts"
import { ask, sampleFolder, Served, testKey, makeTrader } from "./Served.ts"
import { pageFault } from "../support/pageFaults.ts"
import { values } from "../support/sandbox.ts"
import { newFolder, effect, live } from "../support/suite.ts"

const requestOf = (identity: string) =>
  ({ identity, endpoint: "products", gameId: "emberfall", offset: 0, body: "" }) as const
/** What a plan does to each of these requests: the position of the rule that strikes, or -1. */
const strikes = (plan: FaultPlan, sequence: ReadonlyArray<string>) => {
  const ledger = makeFaultLedger(plan)
  return sequence.map((identity) =>
    (plan.rules ?? []).findIndex((rule) => rule === ledger.draw(requestOf(identity))?.rule)
  )
}
const plan = (seed: number): FaultPlan => ({
  seed,
  rules: [
    { kind: "reset", rate: 0.2 },
    { kind: "empty", rate: 0.3 },
    { kind: "html", at: [3] }
  ]
})
const many = Array.from({ length: 60 }, (_, at) => `GET /v1/products?offset=${at % 20}`)

describe("a fault plan", () => {
  it.prop("the same seed and the same requests give the same faults", { seed: Schema.Int }, ({ seed }) => {
    assert.deepEqual(strikes(plan(seed), many), strikes(plan(seed), many))
  })

  it("what rates draw does not depend on the order of arrival", () => {
    const rates: FaultPlan = { seed: 5, rules: [{ kind: "reset", rate: 0.4 }] }
    const once = many.slice(0, 20)
    const backwards = once.toReversed()
    assert.deepEqual(strikes(rates, once), strikes(rates, backwards).toReversed())
  })

  it("strikes about the share of `rate`, at most `times`, and exactly the requests of `at`", () => {
    const each = Array.from({ length: 2000 }, (_, at) => `GET /${at}`)
    const struck = (rule: object) =>
      strikes({ seed: 1, rules: [{ kind: "reset", ...rule }] }, each).flatMap((place, at) => (place === 0 ? [at] : []))
    assert.approximately(struck({ rate: 0.25 }).length, 500, 60)
    assert.strictEqual(struck({ rate: 0.25, times: 7 }).length, 7)
    assert.deepEqual(struck({ at: [1, 40] }), [0, 39])
    assert.strictEqual(struck({ game: "tidewrack" }).length, 0)
    assert.strictEqual(struck({ offset: 200 }).length, 0)
  })

  it("of one game strikes no request that names no game, such as the list of games; a redeploy does", () => {
    const list = { ...requestOf("GET /v1/games"), endpoint: "games", gameId: undefined } as const
    for (const kind of ["server-error", "redeploy"] as const) {
      const drawn = makeFaultLedger({ rules: [{ kind, game: "emberfall" }] }).draw(list)
      assert.strictEqual(drawn !== undefined, kind === "redeploy")
    }
  })

  it("mostInARow lets the same request through after so many faults", () => {
    const same = Array.from({ length: 7 }, () => "GET /")
    assert.deepEqual(strikes({ maxConsecutive: 2, rules: [{ kind: "reset" }] }, same), [0, 0, -1, 0, 0, -1, 0])
  })

  live("two sandboxes with one plan answer the same, and say what they injected", function* () {
    const rules = [
      { kind: "server-error", rate: 0.4 },
      { kind: "truncated", rate: 0.4 },
      pageFault({ kind: "broken-record", rate: 0.5 })
    ] as const
    const run = Effect.fnUntraced(function* (seed: number) {
      const { ask, sandbox } = yield* faultySandbox({ seed, rules })
      const answers = yield* Effect.forEach([0, 200, 400, 0, 200, 400], (offset) => ask(...productsAt(offset)))
      return { texts: answers.map((answer) => answer.lost ?? answer.text), injected: yield* sandbox.injected }
    }, Effect.scoped)
    const first = yield* run(11)
    assert.deepEqual(yield* run(11), first)
    assert.notDeepEqual((yield* run(12)).texts, first.texts)
    assert.isAbove(first.injected.list.length, 0)
  })

  live(
    "an empty plan only counts requests, by method, path, query and body, and GET /sandbox/faults shows it",
    function* () {
      const { ask, sandbox } = yield* faultySandbox({})
      yield* ask("/v1/games")
      yield* ask("/v1/games")
      yield* ask(...productsAt(200))
      const requests = yield* sandbox.requests
      const [path, body] = productsAt(200)
      const expected = { "GET /v1/games": 2, [`POST ${path} ${JSON.stringify(body)}`]: 1 }
      assert.deepEqual(Object.fromEntries(requests), expected)
      assert.notInclude([...requests.keys()].join(), testKey)
      const shown = { on: true, plan: {}, requests: 3, injected: {} }
      assert.deepEqual((yield* ask("/sandbox/faults")).json as unknown, shown)
    }
  )

  live("a plan can be given, switched off and on, and taken back while the sandbox runs", function* () {
    const { ask, sandbox } = yield* faultySandbox({})
    const send = (method: string, body: unknown) =>
      Effect.promise(async () => {
        const headers = { "content-type": "application/json" }
        const answer = await fetch(`${sandbox.origin}/sandbox/faults`, { method, headers, body: JSON.stringify(body) })
        return { status: answer.status, json: (await answer.json()) as Readonly<Record<string, unknown>> }
      })
    const games = Effect.map(ask("/v1/games"), ({ status }) => status)
    const plan = { rules: [{ endpoint: "games", kind: "server-error", status: 503 }] }
    assert.deepInclude((yield* send("PUT", plan)).json, { on: true, plan, requests: 0 })
    assert.strictEqual(yield* games, 503)
    yield* send("PATCH", { on: false })
    assert.strictEqual(yield* games, 200)
    const again = (yield* send("PATCH", { on: true })).json
    assert.deepEqual(again, { on: true, plan, requests: 1, injected: { "server-error": 1 } })
    assert.strictEqual(yield* games, 503)
    const mistyped = yield* send("PUT", { rules: [{ kind: "reset", endpiont: "games" }] })
    assert.deepEqual([mistyped.status, mistyped.json["data"]], [400, { field: "rules.0.endpiont" }])
    assert.strictEqual(yield* games, 503)
    yield* send("PUT", {})
    assert.strictEqual(yield* games, 200)
  })

  live("a key that a plan revoked works again under another plan", function* () {
    const { ask, sandbox } = yield* faultySandbox({ rules: [{ kind: "revoked" }] })
    assert.strictEqual((yield* ask("/v1/games")).status, 401)
    yield* Effect.promise(() =>
      fetch(`${sandbox.origin}/sandbox/faults`, {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: "{}"
      })
    )
    assert.strictEqual((yield* ask("/v1/games")).status, 200)
  })

  it("knows all 22 kinds of rules", () => {
    const kinds: ReadonlyArray<FaultKind> = ["reset", "delay", "unknown-key", "redeploy"]
    assert.includeMembers([...ruleOfKind.keys()], [...kinds])
    assert.strictEqual(ruleOfKind.size, 22)
  })

  for (const [wrong, path] of [
    [{ rules: [{ kind: "explode" }] }, "rules.0.kind"],
    [{ rules: [{ kind: "reset", rate: 2 }] }, "rules.0.rate"],
    [{ rules: [{ kind: "reset", rat: 1 }] }, "rules.0.rat"],
    [{ rules: [{ kind: "reset" }, { kind: "delay", millis: "long" }] }, "rules.1.millis"],
    [{ rules: [{ kind: "delay", millis: 5, mills: 4 }] }, "rules.0.mills"],
    [{ rules: [{ kind: "status", status: 500 }] }, "rules.0.kind"],
    [{ rules: ["reset"] }, "rules.0.kind"],
    [{ rules: [{ kind: "reset", at: [0] }] }, "rules.0.at.0"],
    [{ seed: 1.5 }, "seed"],
    [{ rules: {} }, "rules"],
    [[], ""]
  ] as const) {
    effect(`is refused with the place of the fault: ${JSON.stringify(wrong)}`, function* () {
      const error = yield* Effect.flip(checkFaultPlan("The fault plan", wrong))
      assert.strictEqual(error.path, path)
      assert.include(error.message, path === "" ? "The fault plan cannot be used: " : `at ${path}: `)
    })
  }

  live("an upload passes under a plan, and one that is struck loses only its answer", function* () {
    const lost = { kind: "server-error", endpoint: "jobs", status: 503, envelope: true, at: [2] } as const
    const faults: FaultPlan = { rules: [lost] }
    const sandbox = Served.of(yield* serveSandbox({ catalogue: sampleFolder, key: testKey, faults }))
    yield* Effect.gen(function* () {
      const trader = yield* makeTrader("uploading")
      const send = (condition: string) =>
        upload(trader, "a.csv", `productId,finish,condition,language,quantity\n10007,Standard,${condition},en,1\n`)
      assert.strictEqual((yield* send("NM")).status, 202)
      assert.strictEqual((yield* send("LP")).status, 503)
      const conditions = Effect.map(trader.api.inventory.lines({ query: {} }), ({ data }) => values(data, "condition"))
      yield* Effect.repeat(conditions, { until: ({ length }) => length === 2, schedule: Schedule.spaced("5 millis") })
    }).pipe(Effect.provideService(Served, sandbox))
  })

  effect("a write that is refused at the gate is not done, and a later one is", function* () {
    const rules = [
      { kind: "rate-limited", endpoint: "inventory", at: [1] },
      { kind: "revoked", endpoint: "inventory", at: [2], requests: 1 }
    ] as const
    const sandbox = Served.of(yield* serveSandbox({ catalogue: sampleFolder, key: testKey, faults: { rules } }))
    yield* Effect.gen(function* () {
      const { api, key } = yield* makeTrader("refused")
      const line = { productId: 10007, finish: "Standard", condition: "NM", language: "en", quantity: 3 }
      const add = Effect.map(ask("/v1/inventory", { key, body: { lines: [line] } }), ({ status }) => status)
      assert.deepEqual([yield* add, yield* add, yield* add], [429, 401, 200])
      const { data } = yield* api.inventory.lines({ query: {} })
      assert.deepEqual(values(data, "quantity"), [3])
    }).pipe(Effect.provideService(Served, sandbox))
  })

  effect("is read from a JSON file, and a bad file is named", function* () {
    const folder = yield* newFolder
    const file = join(folder, "faults.json")
    writeFileSync(file, JSON.stringify(plan(1)))
    assert.deepEqual(yield* readFaultPlan(file), plan(1))
    writeFileSync(file, "{")
    assert.include((yield* Effect.flip(readFaultPlan(file))).message, `${file} cannot be used: it is not JSON`)
    assert.include((yield* Effect.flip(readFaultPlan(join(folder, "none")))).message, "does not exist")
  })
})
