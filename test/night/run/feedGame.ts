import { Effect } from "effect"
import type { Sandbox, SandboxOptions } from "../../../src/market/Sandbox.ts"
import { serveSandbox } from "../../../src/market/serveSandbox.ts"
import { catalogueFolder, type Deployed } from "../../store/lake/catalogueFolder.ts"
import { card, expansion, gameId, type Json, sealed } from "../../store/lake/invented.ts"
import { homeBy } from "./bothRoads.ts"

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
    homeBy: (road: "auto" | "feeds" | "pages") => homeBy(sandbox, road)
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
