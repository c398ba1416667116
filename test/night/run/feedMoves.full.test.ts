import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { proxyFor } from "../../pipelines/proxy.ts"
import { homeBy as homeOf, sumsOfTables, day, sandboxRequest, servedDays } from "./bothVias.ts"
import { gameId } from "../../store/lake/invented.ts"
import { live } from "../../support/suite.ts"

const days = [day(10), day(11), day(11, "Lantern Ray"), day(12, "Lantern Cod")]

/** The list of games is read before all else, and the changelog grows. */
const compared = sumsOfTables.filter(({ table }) => !["games", "deployments", "deployment_changes"].includes(table))
const facts = compared.filter(({ table }) => !table.includes("price"))

/** What may happen between two requests; how often in a row. */
const moves = ["deploy", "reprice", "deploy reprice", "reprice deploy", "deploy deploy", "rebuild"] as const

/** A night by feed files during which something happens just before the answer to one request; null: it asked for fewer. */
const nightWith = Effect.fnUntraced(function* (move: (typeof moves)[number], at: number) {
  const { homeBy, sandbox } = yield* servedDays(days)
  const states: Array<{ readonly all: string; readonly facts: string }> = []
  const note = Effect.gen(function* () {
    const { night, rows } = yield* homeBy("pages")
    yield* night()
    const sums = (of: typeof compared) =>
      Effect.map(
        Effect.forEach(of, ({ sums }) => rows(sums)),
        JSON.stringify
      )
    states.push({ all: yield* sums(compared), facts: yield* sums(facts) })
  })
  yield* note
  let count = 0
  const services = yield* Effect.context<never>()
  const happen = Effect.gen(function* () {
    for (const step of move.split(" ")) {
      // Files of the present day built anew.
      if (step === "rebuild") yield* sandboxRequest(sandbox, "clock", { seconds: 600 })
      else yield* sandboxRequest(sandbox, step, { gameId })
      yield* note
    }
  })
  const proxy = yield* proxyFor(sandbox.url, async ({ answer }) => {
    count += 1
    if (count === at) await Effect.runPromiseWith(services)(Effect.scoped(happen))
    return answer
  })
  const fast = yield* homeOf({ key: sandbox.key, url: proxy.url }, "feeds")
  const report = yield* fast.night()
  if (count < at) return null
  const where = `${move} at ${at}`
  if (report.verdict !== "published") {
    assert.isFalse(existsSync(join(fast.home, "lake.duckdb")), where)
    return "torn" as const
  }
  const sums = (of: typeof compared) =>
    Effect.map(
      Effect.forEach(of, ({ sums }) => fast.rows(sums)),
      JSON.stringify
    )
  const all = yield* sums(compared)
  const state = states.findIndex((one) => one.all === all)
  if (state >= 0) return state
  // Prices are rebuilt apart from deployments: then each file is that of one state, and the facts are of one.
  assert.include(move, "reprice", where)
  assert.include(
    states.map((one) => one.facts),
    yield* sums(facts),
    where
  )
  return "apart" as const
}, Effect.scoped)

live(
  "a deployment, new prices or a rebuild between any two requests of a feed night: one state, or nothing",
  function* () {
    const seen = new Map<string, number>()
    for (const move of moves) {
      for (let at = 1; ; at++) {
        const found = yield* nightWith(move, at)
        if (found === null) break
        seen.set(`${move}: ${found}`, (seen.get(`${move}: ${found}`) ?? 0) + 1)
      }
    }
    console.log(Object.fromEntries(seen))
    assert.isAbove(seen.size, moves.length)
  },
  1_800_000
)
