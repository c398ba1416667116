import { Effect } from "effect"
import { seededNumber } from "../../../src/market/catalogue/seededNumber.ts"
import { ask } from "../Served.ts"
import { type FuzzedOperation, type OpenApiDocument, readOperations } from "./operations.ts"

/** What nobody expects in a field. */
const unexpected: ReadonlyArray<unknown> = [
  "",
  "\u0000",
  "%00",
  "../../etc/passwd",
  "' or 1=1 --",
  "𝒳\ud800",
  "a".repeat(5000),
  -1,
  1e308,
  2 ** 53,
  0.1 + 0.2,
  true,
  null,
  [],
  {},
  [[[]]],
  { toString: 1, __proto__: null }
]

/** Ids found in answers, by the parameter that requests send them in. */
type Known = Map<string, Array<unknown>>

const maxKnown = 60

const remember = (known: Known, name: string, value: unknown) => {
  const values = known.get(name) ?? []
  if (values.length < maxKnown && !values.includes(value)) known.set(name, [...values, value])
}

/** Collects the ids in an answer; a record's own id is named after the record's kind. */
const learn = (known: Known, value: unknown): void => {
  if (typeof value !== "object" || value === null) return
  const record = value as Readonly<Record<string, unknown>>
  const kind =
    "forSale" in record ? "inventoryId" : "productType" in record ? "productId" : "code" in record ? "expansionId" : ""
  for (const [key, inner] of Object.entries(record)) {
    if (/^(customId|orderNumber|listingId|jobId|nextCursor|name)$/.test(key) && typeof inner === "string") {
      remember(known, key === "nextCursor" ? "cursor" : key, inner)
    }
    if (key === "id" && kind !== "") remember(known, kind, inner)
    learn(known, inner)
  }
}

/** Answers that broke a rule, and how many of each status came. */
export interface FuzzReport {
  readonly faults: ReadonlyArray<string>
  readonly statuses: Readonly<Record<number, number>>
}

/** Sends random requests, valid ones and strange ones, to the operations of a description. */
export const fuzz = Effect.fnUntraced(function* ({
  key,
  requests,
  seed,
  description = "/openapi.json"
}: {
  key: string
  description?: "/openapi.json" | "/sandbox/openapi.json"
  requests: number
  seed: number
}) {
  const document = (yield* ask(description)).json as unknown as OpenApiDocument
  const operations = yield* readOperations(document, seed)
  const known: Known = new Map([
    ["gameId", ["synthetic-1"]],
    ["game", ["synthetic-1"]],
    ["limit", [1, 2, 50, 100]],
    ["offset", [0, 1, 3]],
    ["finish", ["Standard", "Foil"]],
    ["language", ["en", "de"]]
  ])
  const faults: Array<string> = []
  const statuses: Record<number, number> = {}
  let draws = 0
  const draw = () => seededNumber(seed, `fuzz ${draws++}`)
  const pick = (values: ReadonlyArray<unknown>) => values[Math.floor(draw() * values.length)]
  const valueOf = (name: string, fallback: unknown): unknown => {
    const drawn = draw()
    if (drawn < 0.05) return pick(unexpected)
    const values = known.get(name) ?? known.get(name.replace(/s$/, ""))
    if (values === undefined || drawn > 0.85) return fallback
    return Array.isArray(fallback) ? [pick(values)] : pick(values)
  }
  const filled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(filled)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, valueOf(key, filled(inner))]))
  }
  const textOf = (value: unknown): string => {
    const text = typeof value === "object" ? JSON.stringify(value) : String(value)
    return encodeURIComponent(text.toWellFormed())
  }
  const requestOf = ({ bodies, contentType, method, params, path, query }: FuzzedOperation) => {
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      textOf(valueOf(name, pick(params.find((each) => each.name === name)?.samples ?? [""])) || "-")
    )
    const pairs = query
      .filter(() => draw() < 0.3)
      .flatMap(({ name, samples }) => {
        const value = valueOf(name, pick(samples))
        return (Array.isArray(value) ? value : [value]).map((each) => `${name}=${textOf(each)}`)
      })
    const body =
      draw() < 0.02 ? "{" : bodies.length > 0 ? filled(pick(bodies)) : contentType === undefined ? undefined : "{}"
    return {
      path: pairs.length === 0 ? address : `${address}?${pairs.join("&")}`,
      options: { key, method, ...(body === undefined || method === "GET" ? {} : { body }) }
    }
  }
  for (let sent = 0; sent < requests; sent++) {
    const operation = pick(operations) as FuzzedOperation
    const { options, path } = requestOf(operation)
    const answer = yield* ask(path, options)
    const { json, status } = answer
    statuses[status] = (statuses[status] ?? 0) + 1
    const fault = status >= 500 ? `status ${status}` : operation.fault(answer)
    if (fault !== undefined) {
      faults.push(`${options.method} ${path} ${JSON.stringify(options.body ?? "")}: ${fault}`.slice(0, 1500))
    } else if (status < 300) learn(known, json)
  }
  return { faults, statuses } satisfies FuzzReport as FuzzReport
})
