import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { gzipSync } from "node:zlib"
import { type Dialect, dialects } from "../../../src/feed/contract/dialect/dialects.ts"
import type { PageKind } from "../../../src/feed/contract/records.ts"
import { shredRound } from "../../../src/feed/rows/shredRound.ts"
import { emptyHome } from "../../store/lake/handMadeNights.ts"
import { newFolder, testIn } from "../../support/suite.ts"
import { fileRows } from "../../store/lake/tableRows.ts"
import { card, expansion, sealed } from "./records.ts"

/** Every word is another one, and blocks of the sources name no currency. */
const harbour: Dialect = {
  ...dialects.spec,
  name: "spec+harbour@000000000000",
  blocks: { sourceEur: "quay", sourceUsd: "pier", marketplace: "stalls" },
  currencies: { sourceEur: "EUR", sourceUsd: "USD" },
  ids: {
    sourceEur: "quay",
    sourceUsd: "pier",
    mtgId: "mId",
    mtgOracleId: "oracle",
    konamiStyleId: "kId",
    lorcanaId: "lId",
    fabId: "fId",
    riftboundId: "rId"
  },
  changedIds: { products: "productId", expansions: "expansionId" }
}

const depth = { listingCount: 2, availableQuantity: 5 }
const marketplace = {
  low: { amount: 4.5, currency: "EUR" },
  ...depth,
  regions: { na: { currency: "USD", low: 5.25, ...depth } }
}
const eur = { low: 1.5, marketValue: 2.25, byCondition: { NM: { low: 1.75 } } }
const usd = { mid: 3.1 }
const finishIds = [{ finish: "Foil", id: 71 }]
const summary = { added: 0, modified: 1, removed: 0 }
const entry = (products: object, expansions: object) => ({
  id: "dep_1",
  deployedAt: "2026-05-01T03:00:00.000Z",
  summary: { products: summary, expansions: summary },
  changes: {
    products: { added: [], modified: [{ slug: "a", ...products }], removed: [] },
    expansions: { added: [], modified: [{ slug: "b", ...expansions }], removed: [] }
  }
})

/** The same feed in the spec's words and in the other ones, written out by hand. */
const inSpec: Readonly<Record<string, ReadonlyArray<object>>> = {
  products: [
    card(1, {
      pricesByFinish: {
        Foil: { sourceEur: { currency: "EUR", ...eur }, sourceUsd: { currency: "USD", ...usd }, marketplace }
      },
      externalIds: { sourceEur: finishIds, sourceUsd: [], mtgId: "m-1", konamiStyleId: "k-1", fabId: "f-1" }
    }),
    sealed(2, { prices: { sourceUsd: { currency: "CAD", low: 90 } }, externalIds: { riftboundId: "r-2" } })
  ],
  expansions: [expansion(12)],
  changelog: [entry({ id: 11 }, { id: 12 })]
}
const inHarbour: Readonly<Record<string, ReadonlyArray<object>>> = {
  products: [
    card(1, {
      pricesByFinish: { Foil: { quay: eur, pier: usd, stalls: marketplace } },
      externalIds: { quay: finishIds, pier: [], mId: "m-1", kId: "k-1", fId: "f-1" }
    }),
    sealed(2, { prices: { pier: { currency: "CAD", low: 90 } }, externalIds: { rId: "r-2" } })
  ],
  expansions: [expansion(12)],
  changelog: [entry({ productId: 11 }, { expansionId: 12 })]
}

const tables = [
  ["products", "product_id"],
  ["external_ids", "product_id, system, position"],
  ["source_prices", "product_id, finish, source"],
  ["source_price_conditions", "all"],
  ["marketplace_prices", "product_id, region nulls first"],
  ["deployment_changes", "entity"],
  ["expansions", "expansion_id"]
] as const

/** The rows of every table, and what of the pages was beyond the contract. */
const rowsOf = Effect.fnUntraced(function* (dialect: Dialect, feed: Readonly<Record<string, ReadonlyArray<object>>>) {
  const folder = yield* newFolder
  const round = yield* shredRound({ folder, isWhole: false }, 1)
  const drift: Array<unknown> = []
  for (const kind of ["products", "expansions", "changelog"] as const satisfies ReadonlyArray<PageKind>) {
    const parsed = yield* round.parse({
      kind,
      gameId: "fable",
      dialect,
      number: 0,
      bytes: gzipSync(JSON.stringify({ data: feed[kind] })),
      encoding: "gzip",
      mayBeLarge: true,
      key: "",
      expects: null,
      leftOut: []
    })
    drift.push(parsed._tag === "parsed" ? [parsed.refusals, [...parsed.unknownKeys], parsed.drifted] : parsed)
  }
  assert.isNull(yield* round.end)
  const rows = yield* Effect.forEach(tables, ([table, order]) =>
    fileRows(`from read_parquet('${folder}/${table}/*.parquet') order by ${order}`)
  )
  return { drift, rows }
})

testIn(emptyHome)("two dialects in one process make the same rows, and nothing of either is unknown", function* () {
  const spec = yield* rowsOf(dialects.spec, inSpec)
  const other = yield* rowsOf(harbour, inHarbour)
  assert.deepStrictEqual(spec.drift, [
    [[], [], 0],
    [[], [], 0],
    [[], [], 0]
  ])
  assert.deepStrictEqual(other, spec)
  const [, ids = [], prices = [], , live = [], changed = []] = other.rows
  assert.deepStrictEqual(
    ids.map((row) => `${row["system"]} ${row["external_id"]}`),
    ["fabId f-1", "konamiStyleId k-1", "mtgId m-1", "sourceEur 71", "riftboundId r-2"]
  )
  assert.deepStrictEqual(
    prices.map((row) => [row["source"], row["currency"], row["low"]]),
    [
      ["sourceEur", "EUR", "1.5000"],
      ["sourceUsd", "USD", null],
      ["sourceUsd", "CAD", "90.0000"]
    ]
  )
  assert.deepStrictEqual(
    live.map((row) => row["low"]),
    ["4.5000", "5.2500"]
  )
  assert.deepStrictEqual(
    changed.map((row) => row["item_id"]),
    ["12", "11"]
  )
})
