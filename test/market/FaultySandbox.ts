import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { KnownDialect } from "../../src/feed/contract/dialect/dialects.ts"
import type { FaultRule } from "../../src/market/faults/FaultPlan.ts"
import type { TestPlan } from "../../src/market/faults/Faults.ts"
import { serveSandbox } from "../../src/market/serveSandbox.ts"
import type { Sandbox } from "../../src/market/Sandbox.ts"
import { builtOnce } from "../builtOnce.ts"
import { type Body, sampleFolder, Served, testKey } from "./Served.ts"

/** What came over the wire, or how the connection ended. */
export interface Outcome {
  readonly status: number
  readonly headers: Headers
  /** Decompressed as the header says. */
  readonly text: string
  /** Undefined if the text is not JSON. */
  readonly json: Body | undefined
  /** Set if the answer was lost or cut off. */
  readonly lost: string | undefined
  readonly millis: number
}

const jsonOf = (text: string): Body | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const fetchOnce = async (url: string, init: RequestInit): Promise<Outcome> => {
  const started = performance.now()
  const outcome = { status: 0, headers: new Headers(), text: "", json: undefined, lost: undefined }
  const millis = () => performance.now() - started
  const lost = (cause: unknown) => String(cause instanceof Error ? (cause.cause ?? cause) : cause)
  try {
    const response = await fetch(url, init)
    const { headers, status } = response
    try {
      const text = await response.text()
      return { ...outcome, status, headers, text, json: jsonOf(text), millis: millis() }
    } catch (cause) {
      return { ...outcome, status, headers, lost: lost(cause), millis: millis() }
    }
  } catch (cause) {
    return { ...outcome, lost: lost(cause), millis: millis() }
  }
}

/** The request of a page of the sample's products, as the client sends it. */
export const productsAt = (offset: number, limit = 200): readonly [path: string, body: unknown] => [
  `/v1/products/search?limit=${limit}&offset=${offset}`,
  { offset, limit, gameFilters: { game: "emberfall" }, sortBy: "name", sortDirection: "asc" }
]

const askIn =
  ({ origin }: Sandbox) =>
  (path: string, body?: unknown, method = "POST") =>
    Effect.promise(() =>
      fetchOnce(origin + path, {
        headers: { authorization: `Bearer ${testKey}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { method, body: JSON.stringify(body) })
      })
    )

/** A sandbox of the sample with this plan, and a way to ask it. */
export const faultySandbox = Effect.fnUntraced(function* (faults: TestPlan, dialect: KnownDialect = "spec") {
  const sandbox = yield* serveSandbox({ catalogue: sampleFolder, key: testKey, faults, dialect })
  return { sandbox, ask: askIn(sandbox) }
})

/** For plans that leave nothing behind: each replaces the one before. */
const shared = builtOnce(Served.layer({ faults: {} }))

/** One page of products under one rule, and the same page without it. */
export const struckPage = Effect.fnUntraced(function* (rule: FaultRule, offset = 200) {
  const sandbox = yield* Served
  const ask = askIn(sandbox)
  const plan = { seed: 7, rules: [{ ...rule, endpoint: "products", at: [1] }] }
  assert.strictEqual((yield* ask("/sandbox/faults", plan, "PUT")).status, 200)
  const struck = yield* ask(...productsAt(offset))
  const clean = yield* ask(...productsAt(offset))
  const { counts } = yield* sandbox.injected
  return { struck, clean, injected: counts[rule.kind] ?? 0 }
}, Effect.provide(shared))
