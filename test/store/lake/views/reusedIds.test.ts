import { homeAfter, publishNights } from "../handMadeNights.ts"
import { card, type Json } from "../invented.ts"
import { asks } from "../tableRows.ts"
import { suite } from "../../../support/suite.ts"

const priced = (id: number, marketValue: number, mtgId: string, more: Json) =>
  card(id, {
    externalIds: { mtgId },
    pricesByFinish: { Standard: { sourceEur: { currency: "EUR", marketValue } } },
    ...more
  })
const moth = { name: "Moth", nameSlug: "moth", printNumber: "1", expansionId: 7 }
const newt = { name: "Newt", nameSlug: "newt", printNumber: "2", expansionId: 7 }
const otter = { name: "Otter", nameSlug: "otter", printNumber: "3", expansionId: 8 }
/**
 * Four nights: id 1 stands for three products one after the other, id 2 for one that gets another name,
 * number and expansion. Both prices rise by 1 a night.
 */
const night = (place: number) => ({
  products: [
    priced(1, 10 + place, "abcc"[place] ?? "", [moth, newt, otter, otter][place] ?? otter),
    priced(2, 20 + place, "d", place < 2 ? moth : otter)
  ]
})

const fourNights = homeAfter(function* () {
  yield* publishNights(Array.from({ length: 4 }, (_, place) => night(place)))
})

const answers = `
reused_ids has each reading that found another product under an id, but none where an external id stayed
  select product_id, snapshot, seen_at::date, array_to_string(changed, ' ') from reused_ids
  = 1 night1 2026-05-02 external_ids.mtgId name name_slug print_number
  = 1 night2 2026-05-03 expansion_id external_ids.mtgId name name_slug print_number
movers has no move from one product to another under one id
  select product_id, old, new from movers(days := 3)
  = 2 20.0000 23.0000
movers has the move of the product that the id stands for now
  select product_id, old, new from movers(days := 1) order by product_id
  = 1 12.0000 13.0000
  = 2 22.0000 23.0000
price_series begins with the product that the id stands for now
  select state, min(day)::varchar, max(day)::varchar, min(market_value) from price_series(1) group by state order by 2
  = not in the catalogue 2026-05-01 2026-05-02 null
  = priced 2026-05-03 2026-05-04 12.0000
price_extremes and volatility begin with the product that the id stands for now
  select product_id, e.low, e.high, e.priced_readings, v.priced_days
  from price_extremes e join volatility(min_days := 2) v using (product_id) order by product_id
  = 1 12.0000 13.0000 2 2
  = 2 20.0000 23.0000 4 4
price_series of an id that stays what it is has every day
  select state, count(*) from price_series(2) group by all
  = priced 4
`

suite(fourNights, "an id that stands for another product", (it) => {
  asks(it, answers)
})
