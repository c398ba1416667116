import { homeAfter, publishNights } from "../handMadeNights.ts"
import { card, expansion, sealed } from "../invented.ts"
import { asks } from "../tableRows.ts"
import { suite } from "../../../support/suite.ts"

const within = (id: number, rarity: string | null, eur: number | null, more: object = {}) =>
  card(id, {
    expansionId: 71,
    expansion: { id: 71, code: "M71", name: "Marsh 71" },
    ...(rarity === null ? {} : { rarity }),
    pricesByFinish: eur === null ? {} : { Standard: { sourceEur: { currency: "EUR", marketValue: eur } } },
    ...more
  })

/** Twelve priced cards, 221.0003 EUR together, the ten dearest 219; two cards without a price; one is a variant. */
const products = [
  within(1, "Mythic", null, {
    finishes: ["Standard", "Foil"],
    pricesByFinish: {
      Standard: { sourceEur: { currency: "EUR", marketValue: 100 }, sourceUsd: { currency: "USD", marketValue: 90 } },
      Foil: { sourceEur: { currency: "EUR", marketValue: 120 } }
    }
  }),
  within(2, "Mythic", 50),
  ...[20, 10, 9].map((eur, index) => within(3 + index, "Rare", eur)),
  ...[8, 7, 6, 5, 4].map((eur, index) => within(6 + index, "Common", eur)),
  within(11, null, 1.0001),
  within(12, null, 1.0002, { variant: "Extended Art" }),
  within(13, "Rare", null),
  within(14, "Promo", null),
  sealed(20, {
    expansionId: 71,
    expansion: { id: 71, code: "M71", name: "Marsh 71" },
    prices: { sourceEur: { currency: "EUR", marketValue: 300 } }
  }),
  within(15, "Rare", 2, { expansionId: 72, expansion: { id: 72, code: "M72", name: "Marsh 72" } })
]

const twoExpansions = homeAfter(function* () {
  yield* publishNights([{ products, expansions: [expansion(71), expansion(72)] }])
})

const answers = `
set_values: the median card, what the ten dearest are of the value, and how many variants are known
  select expansion_id, source, value, median_card, percent_ten_dearest, cards, base_value, base_cards, known_variants from set_values order by all
  = 71 sourceEur 221.0003 7.5000 99.1 14 220.0001 13 1
  = 71 sourceUsd 90.0000 90.0000 100 14 90.0000 13 1
  = 72 sourceEur 2.0000 2.0000 100 1 2.0000 1 0
set_values_by_finish: the same in each finish
  select finish, value, median_card, percent_ten_dearest, cards, known_variants from set_values_by_finish where source = 'sourceEur' and expansion_id = 71 order by all
  = Foil 120.0000 120.0000 100 1 0
  = Standard 221.0003 7.5000 99.1 14 1
set_values_by_rarity: what each rarity is worth, and its share of the expansion; half way of 1.0001 and 1.0002 is 1.0002
  select code, rarity, currency, value, percent_of_expansion, median_card, dearest, priced, cards, percent_priced from set_values_by_rarity where expansion_id = 71 and source = 'sourceEur' order by value desc
  = M71 Mythic EUR 150.0000 67.9 75.0000 100.0000 2 2 100
  = M71 Rare EUR 39.0000 17.6 10.0000 20.0000 3 4 75
  = M71 Common EUR 30.0000 13.6 6.0000 8.0000 5 5 100
  = M71 null EUR 2.0003 0.9 1.0002 1.0002 2 2 100
set_values_by_rarity: each source and expansion by itself
  select expansion_id, name, rarity, currency, value, percent_of_expansion, priced, cards, percent_priced from set_values_by_rarity where source = 'sourceUsd' or expansion_id = 72 order by all
  = 71 Marsh 71 Mythic USD 90.0000 100 1 2 50
  = 72 Marsh 72 Rare EUR 2.0000 100 1 1 100
`

suite(twoExpansions, "the value of an expansion", (it) => {
  asks(it, answers)
})
