import type { FaultRule } from "../../src/market/faults/FaultPlan.ts"
import type { TestPlan, TestRule } from "../../src/market/faults/Faults.ts"
import { pageFault } from "../support/pageFaults.ts"

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
export const seededNumbers = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Faults of one request that its repetition heals. */
const passing: ReadonlyArray<FaultRule | TestRule> = [
  { kind: "reset" },
  { kind: "reset-body" },
  { kind: "truncated" },
  { kind: "invalid-gzip" },
  { kind: "invalid-json" },
  { kind: "html" },
  { kind: "empty" },
  { kind: "rate-limited", retryAfter: 0.003 },
  { kind: "server-error" },
  // Last, because they do answer in the end: before the others, they would end a run of faults.
  { kind: "delay", millis: 5 },
  { kind: "drip", bytes: 8000, millis: 1 }
]

/** Faults that only a whole round shows, so it is read again; fewer than a reading has rounds. */
const confusing: ReadonlyArray<FaultRule | TestRule> = [
  pageFault({ kind: "page-twice", times: 1 }),
  pageFault({ kind: "page-skipped", times: 1 }),
  pageFault({ kind: "lying-total", times: 1 }),
  { kind: "redeploy", times: 1 },
  { kind: "dialect", dialect: "live", endpoint: "products", times: 1 },
  { kind: "dialect", dialect: "spec", endpoint: "products", times: 1 }
]

/** Records that are not as the catalogue has them: a night takes them as they come or refuses them. */
const strange: ReadonlyArray<FaultRule | TestRule> = [
  { kind: "unknown-key", endpoint: "products" },
  pageFault({ kind: "unknown-word", endpoint: "products" }),
  pageFault({ kind: "broken-record", endpoint: "products", times: 2 }),
  pageFault({ kind: "broken-record", endpoint: "expansions", times: 1 })
]

/** Faults that no repetition heals. */
const final: ReadonlyArray<FaultRule | TestRule> = [
  { kind: "not-found-500", times: 1 },
  { kind: "revoked", times: 1 }
]

/** What a night may do with such a plan: pass, take or refuse records, or fail with a reason. */
export type PlanNature = "passing" | "strange" | "final"

/** A plan of a nature, made from the numbers. */
export const soakPlan = (next: () => number, nature: PlanNature): TestPlan => {
  const some = (rules: ReadonlyArray<FaultRule | TestRule>, share: number, rate: () => number) =>
    rules.filter(() => next() < share).map((rule): FaultRule | TestRule => Object.assign({ rate: rate() }, rule))
  // In a storm a request comes through after a dozen faults, else after a few.
  const isStorm = next() < 0.4
  const often = () => (isStorm ? 0.2 : 0.1) + next() * 0.2
  const rarely = () => 0.05 + next() * 0.2
  const once = () => 0.1 + next() * 0.3
  const rules = [
    ...(nature === "strange" ? some(strange, 0.7, once) : []),
    ...(nature === "final" ? some(final, 0.7, rarely) : []),
    ...(nature === "passing" ? some(confusing, 0.6, once) : []),
    ...some(passing, isStorm ? 1 : 0.8, often)
  ]
  return { seed: Math.floor(next() * 2 ** 31), maxConsecutive: isStorm ? 30 : 10, rules }
}

/** Adds the counts of `more` to `counts`. */
export const addCounts = (counts: Map<string, number>, more: Readonly<Record<string, number>>) => {
  for (const [kind, count] of Object.entries(more)) counts.set(kind, (counts.get(kind) ?? 0) + count)
}
