import { Effect } from "effect"
import type { SandboxOptions } from "../../../src/market/Sandbox.ts"
import { catalogueFolder, type Deployed, card, gameId, sealed } from "../../store/lake/invented.ts"
import { lakeRows } from "../../store/lake/tableRows.ts"
import { marketplaceAndHome } from "../../pipelines/nights.ts"

const ids = [{ finish: "Foil", id: 71 }]

/** The same three products in the words of each dialect, written out by hand. */
export const spec = (low: number): Deployed["products"] => [
  card(1, {
    pricesByFinish: { Foil: { sourceEur: { currency: "EUR", low }, sourceUsd: { currency: "USD", low: 3 } } },
    externalIds: { sourceEur: ids, mtgId: "m-1" }
  }),
  sealed(2, { prices: { sourceUsd: { currency: "USD", low: 90 } }, externalIds: { riftboundId: "r-2" } }),
  card(3, { pricesByFinish: {} })
]
export const live = (low: number): Deployed["products"] => [
  card(1, {
    pricesByFinish: { Foil: { cardmarket: { currency: "EUR", low }, tcgplayer: { currency: "USD", low: 3 } } },
    externalIds: { cardmarket: ids, scryfallId: "m-1" }
  }),
  sealed(2, { prices: { tcgplayer: { currency: "USD", low: 90 } }, externalIds: { riotId: "r-2" } }),
  card(3, { pricesByFinish: {} })
]
export const july = (low: number): Deployed["products"] => [
  card(1, {
    pricesByFinish: { Foil: { eur: { low }, usd: { low: 3 } } },
    externalIds: { cardmarket: ids, scryfallId: "m-1" }
  }),
  sealed(2, { prices: { usd: { low: 90 } }, externalIds: { riotId: "r-2" } }),
  card(3, { pricesByFinish: {} })
]

/** A home beside a marketplace whose deployments say these products, one after the other. */
export const reading = Effect.fnUntraced(function* (
  deployed: ReadonlyArray<Deployed["products"]>,
  settings: Record<string, string> = {},
  options: Partial<SandboxOptions> = {}
) {
  const catalogue = yield* catalogueFolder({ [gameId]: deployed.map((products) => ({ products })) })
  const { inHome, night, sandbox } = yield* marketplaceAndHome({ catalogue, ...options }, settings)
  return {
    night: night(),
    deploy: sandbox.deploy(gameId),
    speak: sandbox.speak,
    inHome,
    rows: (sql: string) => inHome(lakeRows(sql))
  }
})

export const priced = "select product_id, source, currency, low from source_prices order by all"
export const known = "select product_id, system, external_id from external_ids order by all"
