import { Effect } from "effect"
import { writeHeldBack } from "../../../src/store/home/HeldBack.ts"
import { publishNights, snapshotOf } from "../../store/lake/handMadeNights.ts"
import { card, expansion, gameId, type Json, sealed } from "../../store/lake/invented.ts"
import { publishEightNights } from "../../store/lake/publishEightNights.ts"
import { Pages } from "./explored.ts"

/** Names that a feed may send: markup, other scripts, accents. */
export const names = {
  script: "<script>document.title='taken'</script>",
  attribute: '"><img src=x onerror="document.title=1">',
  japanese: "青眼の白龍",
  accents: "Æther Café Ñandú",
  hostile: "\u202eegap\u001b[2J\u009b1A\u200b Reversed",
  long: "Long ".repeat(20_000)
}

const eur = (marketValue: number) => ({ currency: "EUR", low: marketValue / 2, mid: marketValue, marketValue })
const usd = (marketValue: number) => ({ currency: "USD", low: marketValue, mid: marketValue, marketValue })
const region = (currency: string, low: number) => ({
  currency,
  low,
  listingCount: 5,
  availableQuantity: 9,
  byCondition: {
    NM: { low, listingCount: 2, availableQuantity: 3 },
    LP: { low: low - 1, listingCount: 1, availableQuantity: 1 }
  }
})
const inMarsh = { expansionId: 71, expansion: { id: 71, code: "M71", name: "Marsh <71>" } }

/** The first card: every kind of price, a rename, ids of two finishes; its name is markup. */
const first = (index: number): Json =>
  card(1, {
    ...inMarsh,
    name: index < 4 ? names.script : names.attribute,
    imageUrl: "javascript:alert(1)",
    attributes: { note: "</code><script>alert(2)</script>" },
    finishes: ["Standard", "Foil"],
    externalIds: {
      sourceEur: [
        { finish: "Standard", id: 100 },
        { finish: "Foil", id: 101 }
      ]
    },
    pricesByFinish: {
      Standard: {
        sourceEur: eur(10 + index),
        sourceUsd: usd(20 + index),
        marketplace: {
          low: { amount: 8, currency: "EUR" },
          listingCount: 10,
          availableQuantity: 18,
          regions: { eu: region("EUR", 8 + index), na: region("USD", 22) }
        }
      },
      ...(index === 3 ? {} : { Foil: { sourceEur: eur(40) } })
    }
  })

const many = Array.from({ length: 60 }, (_, index) =>
  card(100 + index, {
    ...inMarsh,
    printNumber: `${index}/60`,
    pricesByFinish: { Standard: { sourceEur: eur(1 + index) } }
  })
)

/** The night of this index, with the dearest so many of sixty cards. */
const night = (index: number, cards = many.length) => ({
  products: [
    first(index),
    card(2, { ...inMarsh, name: names.japanese, externalIds: { sourceEur: [{ finish: "Standard", id: 100 }] } }),
    card(3, { name: names.accents, pricesByFinish: { Standard: { sourceEur: eur(30 - 4 * index) } } }),
    sealed(9, { ...inMarsh, prices: { sourceEur: eur(66) } }),
    card(201, { ...inMarsh, name: names.hostile }),
    card(202, { ...inMarsh, name: names.long, rarity: names.long, attributes: { note: names.long } }),
    ...many.slice(-cards),
    { ...card(200), name: 7, nameSlug: "<b>refused</b>" }
  ],
  expansions: [expansion(71, { name: "Marsh <71>", releaseDate: "2026-04-30T00:00:00.000Z" })],
  changelog: [{ id: `dep_<${index}>`, deployedAt: `2026-05-0${index + 1}T00:00:00.000Z` }]
})

const holdNight = Effect.gen(function* () {
  const { folder } = yield* snapshotOf("night9", { ...night(7), completedAt: "2026-05-09T03:00:00.000Z" })
  yield* writeHeldBack(folder, { reasons: ["5 of <60> products disappeared"] })
})

/**
 * An invented game of eight nights on eight days and a held one, with names that no page may take
 * for markup.
 */
export const exploredInvented = Pages.filled("invented", Effect.andThen(publishEightNights(night), holdNight))
/** Two of these nights with few cards and the held one, for a file that changes the home. */
export const ownInvented = Pages.over(Effect.andThen(publishNights([night(3, 5), night(4, 5)]), holdNight))

const game = `/games/${gameId}`

/** Every page there is. */
export const everyPage = [
  "/",
  "/search?q=a",
  "/search?q=hound&page=2",
  "/console",
  "/console?sql=select+%27%3Cb%3E%27",
  "/nowhere",
  `${game}/products/1`,
  `${game}/products/1?rate=same-day`,
  `${game}/products/1?rate=constant`,
  `${game}/products/201`,
  `${game}/products/202`,
  "/search?q=reversed",
  "/search?q=long",
  `${game}/expansions`,
  `${game}/expansions/71`,
  `${game}/movers`,
  `${game}/spreads`,
  `${game}/spreads?kind=sources`,
  `${game}/spreads?kind=pairs`,
  `${game}/spreads?kind=quotes`,
  `${game}/diff?class=all`,
  `${game}/diff?show=claims`,
  `${game}/refusals`,
  `${game}/audit`,
  `${game}/audit?finding=shared`,
  `${game}/expansions/71?named=%3Cb%3E&rarity=%22`
]
