import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openLake } from "../../../src/store/lake/publish/openLake.ts"
import { importCollection } from "../../../src/desk/own/importCollection.ts"
import { ownSql } from "../../../src/desk/own/Own.ts"
import { catalogueFolder } from "../../store/lake/invented.ts"
import { showing } from "../../../src/night/run/showing.ts"
import { marketplaceAndHome } from "../../pipelines/nights.ts"
import { deploymentsOf, hasRealCatalogue, linesOf, realCatalogue } from "../../pipelines/realCatalogue.ts"
import { live, newFolder } from "../../support/suite.ts"
import { cardsOf as drawCards, fileOf, rightOf, tools } from "./corpus.ts"
import { ownRows } from "./Shelf.ts"

const first = Date.parse("2026-03-01T03:00:00Z")
const dayOf = (night: number) => new Date(first + night * 86_400_000).toISOString().slice(0, 10)

/** Every second printing of the newest deployment that is a card, in each finish, one to four of it. */
const cardsOf = (newest: RealNight): ReadonlyMap<string, bigint> =>
  new Map(
    [...newest.finishes].flatMap(([product, finishes], place) =>
      place % 3 === 0 ? [] : finishes.map((finish) => [`${product}/${finish}`, BigInt(1 + (place % 4))] as const)
    )
  )

/** The worth of a real game's cards on every night, held against what the files themselves add up to. */
const compared = Effect.fnUntraced(function* (
  gameId: string,
  { currency, isBackwards = false }: { readonly currency: string; readonly isBackwards?: boolean }
) {
  const dates = deploymentsOf(gameId).map(({ date }) => date)
  if (isBackwards) dates.reverse()
  const files = (date: string) => ({
    products: linesOf(gameId, date, "products"),
    expansions: linesOf(gameId, date, "expansions")
  })
  const catalogue = isBackwards ? yield* catalogueFolder({ [gameId]: dates.map(files) }) : realCatalogue
  const { night, sandbox, services } = yield* marketplaceAndHome({ catalogue, livePrices: "frozen" })
  const nights: Array<RealNight> = []
  for (const [place, date] of dates.entries()) {
    if (place > 0) yield* sandbox.deploy(gameId)
    const { games } = yield* showing(first + place * 86_400_000)(night(gameId))
    assert.strictEqual(games[0]?.verdict, "published", `${date}: ${games[0]?.reason}`)
    nights.push(realNight(linesOf(gameId, date, "products")))
  }
  const newest = nights.at(-1)
  if (newest === undefined) return assert.fail("no night")
  const mine = cardsOf(newest)
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "cardlake-real-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
  )
  const file = join(folder, "mine.csv")
  const lines = [...mine].map(([key, cards]) => `${key.replace("/", ",")},${cards}`)
  writeFileSync(file, `product_id,finish,quantity\n${lines.join("\n")}\n`)
  const options = { file, name: null, add: false, game: null, currency: null }
  const made = yield* Effect.provideContext(importCollection(options), services)
  assert.strictEqual(made.matched, mine.size)
  let values = 0
  const rowsOf = Effect.fnUntraced(function* (sql: string) {
    const session = yield* openLake
    yield* session.run("Open your own cards", (yield* ownSql) ?? "")
    const { rows } = {
      rows: yield* Effect.promise(async () => (await session.connection.runAndReadAll(sql)).getRowsJson())
    }
    return rows.map((row) => row.map((cell) => (cell === null ? "null" : String(cell))).join(" "))
  })
  const same = Effect.fnUntraced(function* (sql: string, expected: ReadonlyArray<string>) {
    const rows = yield* Effect.provideContext(Effect.scoped(rowsOf(sql)), services)
    values += expected.length
    const [here, there] = [new Set(rows), new Set(expected)]
    const differing = [
      ...expected.filter((row) => !here.has(row)).map((row) => `files: ${row}`),
      ...rows.filter((row) => !there.has(row)).map((row) => `lake: ${row}`)
    ]
    assert.deepStrictEqual(differing.slice(0, 10), [], `${differing.length} of ${expected.length}: ${sql}`)
    assert.strictEqual(rows.length, expected.length)
  })

  const series = seriesOf(nights, mine)
  yield* same(
    `select day, value, cards from collection_value_series(to_currency := '${currency}') order by day`,
    series.map(({ cards, value }, place) => `${dayOf(place)} ${figure(value)} ${cards}`)
  )
  for (const [place, at] of nights.entries()) {
    yield* same(
      `select product_id || '/' || finish, value from collection_value(ts := '${dayOf(place)} 23:00', to_currency := '${currency}') where value is not null`,
      [...mine].flatMap(([key, cards]) => {
        const value = worthOf(at, key, cards)
        return value === null ? [] : [`${key} ${figure(value)}`]
      })
    )
    const before = nights[place - 1]
    if (before === undefined) continue
    yield* same(
      `select product_id || '/' || finish, old, new, cards, change_of_all from my_movers(min_price := 0, since := '${dayOf(place - 1)}', until := '${dayOf(place)}')`,
      [...mine].flatMap(([key, cards]) => {
        const [then, now] = [before.prices.get(key), at.prices.get(key)]
        return then === undefined || now === undefined || then === now
          ? []
          : [`${key} ${figure(then)} ${figure(now)} ${cards} ${figure((now - then) * cards)}`]
      })
    )
  }
  const had = new Set([...mine.keys()].map((key) => key.split("/")[0]))
  for (const expansion of [...newest.cardsOf.keys()].slice(0, 40)) {
    yield* same(
      `select product_id, coalesce(market_value::varchar, 'none') from collection_missing(${expansion})`,
      (newest.cardsOf.get(expansion) ?? [])
        .filter((product) => !had.has(product))
        .map((product) => {
          const prices = (newest.finishes.get(product) ?? []).flatMap(
            (finish) => newest.prices.get(`${product}/${finish}`) ?? []
          )
          const [least] = prices.toSorted((a, b) => (a < b ? -1 : 1))
          return `${product} ${least === undefined ? "none" : figure(least)}`
        })
    )
  }
  console.log(`${gameId}: ${values} rows equal, of ${mine.size} printings over ${nights.length} nights`)
}, Effect.scoped)

const ten =
  "ManaBox; Moxfield; Archidekt; Deckbox, new; Dragon Shield; TCGplayer app; Delver Lens, ids; Collectr; Cardmarket, ids; Helvault Pro"

/**
 * 2,000 rows as ten tools write them: each row is the right product in its finish, or is open because the tool leaves out
 * what would decide. The worth is the sum of the catalogue's own prices of the others.
 */
const sameBinder = Effect.gen(function* () {
  const options = { catalogue: realCatalogue, livePrices: "frozen", live: "last" } as const
  const { night, services } = yield* marketplaceAndHome(options)
  yield* night("magic")
  const file = join(yield* newFolder, "binder.csv")
  const cards = drawCards("magic", 2000)
  const { prices } = realNight(linesOf("magic", deploymentsOf("magic").at(-1)?.date ?? "", "products"))
  const table: Array<Record<string, string | number>> = []
  for (const tool of tools.filter((one) => ten.split("; ").includes(one.tool))) {
    writeFileSync(file, fileOf(tool, cards))
    const options = { file, name: null, add: false, game: null, currency: null }
    const made = yield* Effect.provideContext(importCollection(options), services)
    const rows = yield* Effect.provideContext(
      ownRows("select row, product_id, finish from collection_cards where cards > 0 order by row"),
      services
    )
    const sums = { worth: 0n, open: 0n }
    const wrong = rows.filter((line) => {
      const [row, product, finish] = line.split(" | ")
      const card = cards[Number(row) - 1]
      if (card === undefined) return true
      const kind = product === "null" ? "open" : "worth"
      if (!card.isElsewhere) sums[kind] += prices.get(`${card.id}/${card.finish}`) ?? 0n
      return kind === "worth" && (product !== rightOf(tool, card) || finish !== card.finish)
    })
    assert.deepStrictEqual(wrong, [], tool.tool)
    assert.strictEqual(rows.length, cards.length, tool.tool)
    assert.strictEqual(made.worth.worth, figure(sums.worth), tool.tool)
    table.push({
      tool: tool.tool,
      matched: made.matched,
      worth: made.worth.worth,
      open: made.open,
      "worth of open": figure(sums.open)
    })
  }
  console.table(table)
  assert.strictEqual(table.length, 10)
}).pipe(Effect.scoped)

describe.skipIf(!hasRealCatalogue)("the worth of real cards, where the real catalogue is at hand", () => {
  live(
    "riftbound: twelve nights, in which prices come, equal what its files add up to",
    () => compared("riftbound", { currency: "USD" }),
    900_000
  )
  live(
    "riftbound backwards: the same, in which prices and products go",
    () => compared("riftbound", { currency: "USD", isBackwards: true }),
    900_000
  )
  live("magic: three nights equal what its files add up to", () => compared("magic", { currency: "EUR" }), 1_800_000)
  live("magic: a binder is the same cards of the same worth in ten formats", () => sameBinder, 1_800_000)
})

/** A price as ten-thousandths, from a number's own text. */
const exact = (text: string): bigint => {
  const [whole = "0", places = ""] = text.split(".")
  return BigInt(whole + places.padEnd(4, "0").slice(0, 4))
}

/** Ten-thousandths as DuckDB writes a DECIMAL of four places. */
export const figure = (value: bigint): string => {
  const digits = String(value < 0n ? -value : value).padStart(5, "0")
  return `${value < 0n ? "-" : ""}${digits.slice(0, -4)}.${digits.slice(-4)}`
}

/** What a deployment's file says: market values above nothing, of the game's one source, by `product/finish`. */
export interface RealNight {
  readonly prices: ReadonlyMap<string, bigint>
  readonly finishes: ReadonlyMap<string, ReadonlyArray<string>>
  /** Cards of each expansion. */
  readonly cardsOf: ReadonlyMap<string, ReadonlyArray<string>>
}

type Block = Readonly<Record<string, { readonly marketValue?: string } | undefined>>
interface Product {
  readonly id: string
  readonly productType: string
  readonly expansionId?: string | null
  readonly finishes?: ReadonlyArray<string>
  readonly prices?: Block
  readonly pricesByFinish?: Readonly<Record<string, Block>>
}

const numbersAsTexts = (_: string, value: unknown, context: { source: string }) =>
  typeof value === "number" ? context.source : value

export const realNight = (lines: ReadonlyArray<string>): RealNight => {
  const prices = new Map<string, bigint>()
  const finishes = new Map<string, ReadonlyArray<string>>()
  const cardsOf = new Map<string, Array<string>>()
  for (const line of lines) {
    const product = JSON.parse(line, numbersAsTexts as (key: string, value: unknown) => unknown) as Product
    const isSealed = product.productType === "sealed"
    const byFinish = isSealed ? { Standard: product.prices ?? {} } : (product.pricesByFinish ?? {})
    finishes.set(product.id, isSealed ? ["Standard"] : (product.finishes ?? []))
    for (const [finish, block] of Object.entries(byFinish)) {
      const text = (block["sourceEur"] ?? block["sourceUsd"])?.marketValue
      const value = text === undefined ? 0n : exact(text)
      if (value > 0n) prices.set(`${product.id}/${finish}`, value)
    }
    if (isSealed || product.expansionId === undefined || product.expansionId === null) continue
    const cards = cardsOf.get(product.expansionId) ?? []
    cards.push(product.id)
    cardsOf.set(product.expansionId, cards)
  }
  return { prices, finishes, cardsOf }
}

/** What so many cards of a printing were worth on a night; null = it had no price. */
export const worthOf = ({ prices }: RealNight, key: string, cards: bigint): bigint | null => {
  const price = prices.get(key)
  return price === undefined ? null : price * cards
}

/** The sum of every night, and how many cards are in it. */
export const seriesOf = (nights: ReadonlyArray<RealNight>, mine: ReadonlyMap<string, bigint>) =>
  nights.map((night) => {
    let [value, cards] = [0n, 0n]
    for (const [key, count] of mine) {
      const worth = worthOf(night, key, count)
      if (worth === null) continue
      value += worth
      cards += count
    }
    return { value, cards }
  })
