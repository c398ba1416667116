import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { verdictText } from "../../pipelines/verdictText.ts"
import { catalogueFolder } from "../lake/catalogueFolder.ts"
import { card, gameId } from "../lake/invented.ts"
import { lakeRows } from "../lake/tableRows.ts"
import { marketplaceAndHome } from "./nights.ts"

const of = (id: number, eurIds: ReadonlyArray<readonly [finish: string, id: number]>, more: object = {}) =>
  card(id, {
    finishes: ["Standard", "Foil"],
    externalIds: { sourceEur: eurIds.map(([finish, id]) => ({ finish, id })) },
    ...more
  })
const prices = (eur: number, usd: number) => ({
  pricesByFinish: {
    Standard: { sourceEur: { currency: "EUR", marketValue: eur }, sourceUsd: { currency: "USD", marketValue: usd } }
  }
})
const sound = of(
  9,
  [
    ["Standard", 900],
    ["Foil", 901]
  ],
  prices(10, 11)
)
const first = [
  of(1, [
    ["Standard", 100],
    ["Foil", 101]
  ]),
  of(2, [
    ["Standard", 200],
    ["Foil", 201]
  ]),
  sound
]
/** 2 has what was of 1, 3 and 4 share an id, 3 has two of a finish, 4 none for its foil, and its prices are far apart. */
const second = [
  of(1, [
    ["Standard", 102],
    ["Foil", 101]
  ]),
  of(2, [
    ["Standard", 100],
    ["Foil", 201]
  ]),
  of(3, [
    ["Standard", 300],
    ["Standard", 301],
    ["Foil", 302]
  ]),
  of(4, [["Standard", 300]], prices(90, 10)),
  sound
]

it.live("a night's verdict counts the ids that look wrong as the lake's view has them", () =>
  Effect.gen(function* () {
    const catalogue = yield* catalogueFolder({
      [gameId]: [{ products: first }, { products: second }, { products: second }]
    })
    const { night, sandbox, services } = yield* marketplaceAndHome({ catalogue })
    const [clean, doubtful] = [yield* night(), yield* Effect.andThen(sandbox.deploy(gameId), night())]
    assert.deepStrictEqual(clean.games[0]?.idAudit, { shared: 0, doubled: 0, moved: 0, missing: 0, apart: 0 })
    assert.deepStrictEqual(doubtful.games[0]?.idAudit, { shared: 2, doubled: 2, moved: 1, missing: 1, apart: 1 })
    const seen = yield* Effect.provideContext(
      lakeRows("select kind, count(*) as ids from id_audit group by kind order by kind"),
      services
    )
    assert.deepStrictEqual(
      seen.map(({ ids, kind }) => `${kind} ${ids}`),
      ["apart 1", "doubled 2", "missing 1", "moved 1", "shared 2"]
    )
    assert.include(verdictText(doubtful), `${gameId} 2 shared, 2 doubled, 1 moved, 1 missing, 1 apart`)
    assert.notInclude(verdictText(clean), "look wrong")
  })
)
