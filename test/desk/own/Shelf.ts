import { Context, Effect, Layer } from "effect"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { loadRates } from "../../../src/store/lake/fx/loadRates.ts"
import { openLake } from "../../../src/store/lake/publish/openLake.ts"
import { importCollection } from "../../../src/desk/own/importCollection.ts"
import { Home } from "../../../src/store/home/Home.ts"
import { builtOnce } from "../../builtOnce.ts"
import { copiedHome } from "../../filledOnce.ts"
import { temporaryFolder } from "../../warehouse/FourNights.ts"
import { ownSql } from "../../../src/desk/own/Own.ts"
import { idOf, card, expansion, type Json, sealed } from "../../store/lake/invented.ts"
import { publishNights } from "../../store/lake/handMadeNights.ts"

const marsh = { expansionId: 71, expansion: { id: 71, code: "M71", name: "Marsh 71" } }
const fen = { expansionId: 72, expansion: { id: 72, code: "FEN", name: "Fen of Reeds" } }
const scryfall = (place: number) => `5a3b0000-0000-4000-8000-${String(place).padStart(12, "0")}`
const ids = (place: number) => ({
  sourceEur: [{ id: 1000 + place, finish: "Standard" }],
  sourceUsd: [{ id: 7000 + place, finish: "Standard" }],
  mtgId: scryfall(place)
})

const eur = (marketValue: number, more: Json = {}) => ({ sourceEur: { currency: "EUR", marketValue, ...more } })

/**
 * 1 in two finishes, with prices for its conditions; 2 with two faces; 3 and 4 the same card in two sets; 5 and 6 the same
 * name in one set, without numbers; 7 sealed; 8 etched; 9 in foil alone; 10 in Japanese alone; 11 priced on the first night
 * alone, 12 on the last alone; 13 with a price in dollars alone; 14 never; 15 and 16
 * have each other's words.
 */
const night = (place: number): ReadonlyArray<Json> => [
  card(1, {
    ...fen,
    name: "Wicker Hound",
    printNumber: "007",
    finishes: ["Standard", "Foil"],
    externalIds: {
      sourceEur: [
        { id: 1001, finish: "Standard" },
        { id: 1101, finish: "Foil" }
      ],
      // one id for both
      sourceUsd: [
        { id: 7001, finish: "Standard" },
        { id: 7001, finish: "Foil" }
      ],
      mtgId: scryfall(1)
    },
    pricesByFinish: {
      Standard: eur([2, 3, 2.5][place] ?? 0, {
        byCondition: { LP: { low: 1.75, byLanguage: { de: { low: 1.6 } } }, HP: { low: 0.5 } }
      }),
      Foil: eur([10, 10, 12.34][place] ?? 0)
    }
  }),
  card(2, {
    ...fen,
    name: "Fire // Ice",
    printNumber: "12a",
    externalIds: ids(2),
    pricesByFinish: { Standard: eur(0.05) }
  }),
  card(3, {
    ...marsh,
    name: "Æther Vial",
    printNumber: "3",
    externalIds: ids(3),
    pricesByFinish: { Standard: eur(7) }
  }),
  card(4, { ...fen, name: "Æther Vial", printNumber: "44", externalIds: ids(4), pricesByFinish: { Standard: eur(8) } }),
  card(5, { ...fen, name: "Reed Colossus", pricesByFinish: { Standard: eur(1) } }),
  card(6, { ...fen, name: "Reed Colossus", variant: "Extended Art", pricesByFinish: { Standard: eur(2) } }),
  sealed(7, {
    ...fen,
    name: "Fen Booster Box",
    externalIds: { sourceUsd: [{ id: 7007, finish: "Standard" }] },
    prices: eur(99.99)
  }),
  card(8, {
    ...fen,
    name: "Silver Etching",
    printNumber: "80",
    finishes: ["Standard", "Etched Foil"],
    pricesByFinish: { "Etched Foil": eur(4) }
  }),
  card(9, { ...fen, name: "Glimmer", printNumber: "81", finishes: ["Foil"], pricesByFinish: { Foil: eur(6) } }),
  card(10, { ...fen, name: "Kappa", printNumber: "82", languages: ["ja"], pricesByFinish: { Standard: eur(3) } }),
  card(11, { ...fen, name: "Gone Price", printNumber: "83", pricesByFinish: place === 0 ? { Standard: eur(5) } : {} }),
  card(12, {
    ...fen,
    name: "New Price",
    printNumber: "84",
    pricesByFinish: place === 2 ? { Standard: eur(20, { low: 6.5 }) } : {}
  }),
  card(13, {
    ...fen,
    name: "Dollar Fish",
    printNumber: "85",
    pricesByFinish: { Standard: { sourceUsd: { currency: "USD", marketValue: 11 } } }
  }),
  card(14, { ...fen, name: "Unpriced", printNumber: "86" }),
  card(15, { ...marsh, name: "Storm Crow" }),
  card(16, { ...marsh, name: "Crow Storm" })
]

/** The product of 1101 above as a source has it: 1 in Foil. */
export const scryfallId = scryfall

const fill = Effect.gen(function* () {
  yield* loadRates(idOf("fx"), {
    source: "rates.csv",
    text: "Date,EUR,USD\n2026-05-01,1,1.1\n2026-05-02,1,1.1\n2026-05-03,1,1.1\n",
    loadedAt: "2026-05-03T00:00:00Z"
  })
  const expansions = [expansion(71), expansion(72, { code: "FEN", name: "Fen of Reeds" })]
  yield* publishNights([0, 1, 2].map((place) => ({ expansions, products: night(place) })))
})
const made = copiedHome("shelf", fill).pipe(builtOnce)

/** A folder for files to import, and a home with three nights, from 2026-05-01, and a rate of 1.1 dollars for a euro. */
export class Shelf extends Context.Service<Shelf, { readonly folder: string }>()("cardlake/test/Shelf") {
  /** Over a home that several test files share. */
  static over(home: typeof made) {
    return Layer.effect(
      this,
      Effect.gen(function* () {
        // The files of a process share the home, and each begins without cards of its own.
        rmSync((yield* Home).own, { recursive: true, force: true })
        return { folder: yield* temporaryFolder }
      })
    ).pipe(Layer.provideMerge(home))
  }
  static readonly layer = this.over(made)
}

/** Writes a file and imports it as a collection of its name. */
export const imported = Effect.fnUntraced(function* (
  name: string,
  content: string | Buffer,
  more: { readonly add?: boolean; readonly name?: string; readonly currency?: string; readonly game?: string } = {}
) {
  const file = join((yield* Shelf).folder, `${name}.csv`)
  writeFileSync(file, content)
  return yield* importCollection({
    file,
    name: more.name ?? null,
    add: more.add ?? false,
    game: more.game ?? null,
    currency: more.currency ?? null
  })
})

/** Cards of a collection: product, finish, how many. */
export const cardsOf = (name: string) =>
  ownRows(`select product_id, finish, cards from collection_cards where collection = '${name}' order by all`)

export const faultOf = <A, E extends { readonly message: string }, R>(run: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(run), ({ message }) => message)

/** Rows of a query over the lake and the collections; BIGINT and DECIMAL are strings. */
export const ownRows = Effect.fnUntraced(function* (sql: string) {
  const session = yield* openLake
  yield* session.run("Open your own cards", (yield* ownSql) ?? "")
  const reader = yield* Effect.promise(() => session.connection.runAndReadAll(sql))
  return reader.getRowsJson().map((row) => row.map((cell) => (cell === null ? "null" : String(cell))).join(" | "))
}, Effect.scoped)
