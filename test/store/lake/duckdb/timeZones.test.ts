import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { loadRates } from "../../../../src/store/lake/fx/loadRates.ts"
import { openLake } from "../../../../src/store/lake/publish/openLake.ts"
import { homeAfter, publishNights } from "../handMadeNights.ts"
import { card, expansion, idOf } from "../invented.ts"
import { suite } from "../../../support/suite.ts"

const offered = (low: number) => ({ low, listingCount: 5, availableQuantity: 9 })
const region = (currency: string, low: number) => ({
  currency,
  low,
  listingCount: 5,
  availableQuantity: 9,
  byCondition: { NM: { ...offered(low), byLanguage: { en: offered(low) } } }
})
const inMarsh = { expansionId: 71, expansion: { id: 71, code: "M71", name: "Marsh 71" } }
const night = (completedAt: string, price: number, more: ReadonlyArray<object> = []) => ({
  completedAt,
  expansions: [expansion(71, { releaseDate: "2026-03-10T00:00:00.000Z" })],
  products: [
    card(1, {
      ...inMarsh,
      pricesByFinish: {
        Standard: {
          sourceEur: { currency: "EUR", marketValue: price, change24h: 1, change7d: 1 },
          marketplace: {
            low: { amount: 8, currency: "EUR" },
            listingCount: 10,
            availableQuantity: 18,
            regions: { eu: region("EUR", 8), na: region("USD", 22) }
          }
        }
      }
    }),
    ...more
  ]
})

/** On the last night, which is the day before in Los Angeles, id 2 stands for another card. */
const another = (isLast: boolean) =>
  card(2, {
    ...inMarsh,
    ...(isLast ? { name: "Reed Viper", nameSlug: "reed-viper" } : {}),
    printNumber: isLast ? "9" : "2",
    externalIds: { sourceEur: [{ finish: "Standard", id: isLast ? 900 : 200 }] },
    pricesByFinish: { Standard: { sourceEur: { currency: "EUR", marketValue: isLast ? 500 : 5 } } }
  })

/** Nights before and after midnight, and before and after clocks change in Los Angeles and Berlin. */
const nights = [
  night("2026-03-20T03:00:00.000Z", 10),
  night("2026-03-22T14:30:00.000Z", 11),
  night("2026-03-23T15:30:00.000Z", 12),
  night("2026-03-29T14:45:00.000Z", 13, [another(false)]),
  night("2026-03-30T03:00:00.000Z", 14, [another(true)])
]

const springNights = homeAfter(function* () {
  yield* loadRates(idOf("fx"), {
    source: "rates.csv",
    text: "Date,USD\n2026-03-29,1.5\n2026-03-30,1.1\n",
    loadedAt: "2026-03-31T00:00:00Z"
  })
  yield* publishNights(nights)
})

/** Rows as text; no column of the answer is shown in the session's own zone. */
const asked = (zone: string, sql: string) =>
  Effect.gen(function* () {
    const { connection } = yield* openLake
    const reader = yield* Effect.promise(async () => {
      await connection.run(`set TimeZone = '${zone}'`)
      return connection.runAndReadAll(sql)
    })
    return reader.getRowObjectsJson()
  }).pipe(Effect.scoped)

suite(springNights, "an analyst's session in another time zone", (it) => {
  for (const [time, snapshot] of [
    ["'2026-03-23 15:30'", "night2"],
    ["'2026-03-23 15:29:59.999999'", "night1"],
    ["'2026-03-23T15:30:00Z'", "night2"],
    ["'2026-03-23 16:30:00+01'", "night2"],
    ["'2026-03-23 16:30:00 Europe/Berlin'", "night2"],
    ["'2026-03-23'", "night1"],
    ["date '2026-03-24'", "night2"],
    ["timestamp '2026-03-23 15:30:00'", "night2"],
    ["timestamptz '2026-03-23 15:30:00Z'", "night2"],
    ["now()", "night4"]
  ] as const) {
    it(`means the same instant by ${time}`, function* () {
      for (const zone of ["UTC", "America/Los_Angeles"]) {
        assert.deepStrictEqual(yield* asked(zone, `select snapshot from nights_at(${time})`), [{ snapshot }], zone)
      }
    })
  }
})
