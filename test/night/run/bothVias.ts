import { Effect } from "effect"
import type { Sandbox, SandboxOptions } from "../../../src/market/Sandbox.ts"
import { serveSandbox } from "../../../src/market/serveSandbox.ts"
import { homeOf } from "../../pipelines/nights.ts"
import { snapshotTables } from "../../../src/feed/schema/snapshotTables.ts"
import {
  catalogueFolder,
  type Deployed,
  card,
  expansion,
  gameId,
  type Json,
  sealed
} from "../../store/lake/invented.ts"

/** A home of a sandbox that is read in one way. */
export const homeBy = (
  sandbox: Pick<Sandbox, "key" | "url">,
  via: "auto" | "feeds" | "pages",
  more: Readonly<Record<string, string>> = {}
) => homeOf(sandbox, { CARDLAKE_VIA: via, ...more })

/** A sandbox, and two homes of it: one by feed files, one page by page. */
export const bothVias = Effect.fnUntraced(function* (options: SandboxOptions) {
  const sandbox = yield* serveSandbox(options)
  return { sandbox, feeds: yield* homeBy(sandbox, "feeds"), pages: yield* homeBy(sandbox, "pages") }
})

/** Tables that tell how a night was read rather than what. */
const ofReading = new Set(["drift", "refusals", "translations"])

/** The columns of a table that both ways of reading fill alike. */
const selected = ({ columns }: (typeof snapshotTables)[number]): string => {
  const left = columns.filter(({ vias }) => vias !== "both").map(({ name }) => name)
  return left.length === 0 ? "*" : `* exclude (${left.join(", ")})`
}

/** A query for each table that has one row: how many rows, and a sum over them. */
export const sumsOfTables = snapshotTables
  .filter(({ name }) => !ofReading.has(name))
  .map((table) => ({
    table: table.name,
    rows: `select ${selected(table)} from ${table.name} order by all limit 50`,
    sums: `select count(*)::int as n, md5(string_agg(line, '|' order by line)) as sum from (select t::varchar as line from (select ${selected(table)} from ${table.name}) t)`
  }))

const eur = (low: number) => ({ sourceEur: { currency: "EUR", low } })

/** Seven products, two of them sealed; one has no price. `low` is the price of the first, `name` that of the second. */
export const day = (low: number, name = "Lantern Eel", more: ReadonlyArray<Json> = []): Deployed => ({
  expansions: [expansion(1, { logoUrl: "https://img.example/m1.png", releaseDate: "2024-05-01T00:00:00.000Z" })],
  products: [
    card(1, { pricesByFinish: { Foil: eur(low) }, expansionId: 1, expansion: { id: 1, code: "M1", name: "Marsh 1" } }),
    card(2, { name, pricesByFinish: { Standard: eur(2.5) }, externalIds: { sourceEur: [{ finish: "Foil", id: 71 }] } }),
    card(3),
    sealed(4, { prices: { sourceUsd: { currency: "USD", low: 90 } }, releaseDate: "2024-06-01T00:00:00.000Z" }),
    sealed(5, {
      expansionId: 1,
      expansion: { id: 1, code: "M1", name: "Marsh 1", symbolUrl: "https://img.example/s.svg" }
    }),
    card(6, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low: 1, tide: "low" } } } }),
    ...more
  ]
})

/** A sandbox of some days of one game, and how often it was asked for what since the last look. */
export const servedDays = Effect.fnUntraced(function* (
  days: ReadonlyArray<Deployed>,
  options: Partial<SandboxOptions> = {}
) {
  const catalogue = yield* catalogueFolder({ [gameId]: days })
  const sandbox = yield* serveSandbox({ catalogue, livePrices: "frozen", faults: {}, ...options })
  let before = new Map<string, number>()
  const asked = Effect.map(sandbox.requests, (requests) => {
    const since = [...requests].map(([path, times]) => [path, times - (before.get(path) ?? 0)] as const)
    before = new Map(requests)
    return Object.fromEntries(since.filter(([, times]) => times > 0).map(([path, times]) => [path.slice(4), times]))
  })
  return {
    sandbox,
    asked,
    deploy: sandbox.deploy(gameId),
    homeBy: (via: "auto" | "feeds" | "pages") => homeBy(sandbox, via)
  }
})

export const head = `/v1/feeds/${gameId}/changelog?limit=1`
export const files = `/v1/feeds/${gameId}`
export const fileOf = (type: string) => `/files/feeds/${gameId}/${type}.ndjson.gz`

/** Changes how a sandbox behaves, by a control route. */
export const sendControl = ({ origin }: Pick<Sandbox, "origin">, route: string, body: object) =>
  fetch(`${origin}/sandbox/${route}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })

export const sandboxRequest = (sandbox: Pick<Sandbox, "origin">, route: string, body: object) =>
  Effect.promise(() => sendControl(sandbox, route, body))
