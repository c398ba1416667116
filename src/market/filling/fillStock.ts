import { Effect, Result } from "effect"
import type { NewLine } from "../contract/inventory/InventoryLine.ts"
import type { MarketCurrency } from "../contract/Money.ts"
import { LiveCatalogue, openLive } from "../catalogue/LiveCatalogue.ts"
import type { LiveGame } from "../catalogue/LiveGame.ts"
import { hasSmallIds } from "../catalogue/StoredCatalogue.ts"
import { soldProducts, type SoldProduct } from "../catalogue/soldProducts.ts"
import { createLabel } from "../inventory/labels.ts"
import { createLines } from "../inventory/createLines.ts"
import { atInstant, State, type Transaction } from "../state/State.ts"
import type { Drawn } from "../catalogue/seededNumber.ts"
import { addKey, makeAccount } from "../accounts/accounts.ts"

export interface Traders {
  readonly sellers: ReadonlyArray<{ readonly id: string; readonly currency: MarketCurrency }>
  readonly buyers: ReadonlyArray<string>
}

const sellersCurrencies: ReadonlyArray<MarketCurrency> = ["EUR", "EUR", "EUR", "USD", "USD", "GBP", "CAD", "CHF"]
const buyersCountries = ["DE", "FR", "IT", "ES", "GB", "CH", "US", "US", "CA"]

/** Returns the key of a generated account, with every scope. */
export const filledKey = (seed: number, username: string): string => `cl_sandbox_${seed}_${username}`

/** Creates accounts, half of them sellers, alternately companies. Keys derive from name and seed. */
export const fillAccounts = (
  tx: Transaction,
  drawn: Drawn,
  { accounts, seed }: { readonly seed: number; readonly accounts: number }
): Traders => {
  const sellers: Array<Traders["sellers"][number]> = []
  const buyers: Array<string> = []
  for (let number = 0; number < accounts; number++) {
    const place = Math.floor(number / 2) + 1
    const isSeller = number % 2 === 0
    const username = isSeller ? `seller-${place}` : `buyer-${place}`
    // The first two trade with each other, so that even the smallest market has orders.
    const currency = place === 1 ? "EUR" : (drawn.of(sellersCurrencies) ?? "EUR")
    const country = place === 1 ? "DE" : (drawn.of(buyersCountries) ?? "DE")
    const { id } = makeAccount(
      tx,
      isSeller
        ? { username, seller: { type: place % 2 === 1 ? "pro" : "individual", currency } }
        : { username, country }
    )
    addKey(tx, id, { secret: filledKey(seed, username), scopes: ["*"] })
    if (isSeller) sellers.push({ id, currency })
    else buyers.push(id)
  }
  return { sellers, buyers }
}

const conditions = ["NM", "NM", "NM", "LP", "LP", "MP", "HP", "DMG"] as const
const services = ["PSA", "BGS", "CGC"] as const
const grades = ["10", "9.5", "9", "8"] as const
const comments = ["Pack fresh", "Light scratch on the back", "From a smoke-free home"] as const

/** Labels of every seller, by kind. */
const labels = { location: ["Box 1", "Box 2", "Box 3"], tag: ["showcase", "bulk"] } as const

/** Returns the condition or slab of a line. One card in twelve is in a slab. */
const drawState = (drawn: Drawn, isCard: boolean): Partial<NewLine> => {
  if (!isCard) return {}
  if (drawn.below(12) > 0) return { condition: drawn.of(conditions) ?? "NM" }
  const certification = String(10_000_000 + drawn.below(90_000_000))
  return { graded: { gradingService: drawn.of(services) ?? "PSA", grade: drawn.of(grades) ?? "9", certification } }
}

/** Returns the location, tags and comment of a line. Without a customId: a sync would delete what it does not know. */
const drawNotes = (drawn: Drawn): Partial<NewLine> => ({
  ...(drawn.below(3) === 0 ? {} : { location: drawn.of(labels.location) ?? null }),
  ...(drawn.below(4) === 0 ? { tags: [drawn.of(labels.tag) ?? "bulk"] } : {}),
  ...(drawn.below(6) === 0 ? { comment: drawn.of(comments) ?? null } : {})
})

const drawLine = (
  drawn: Drawn,
  { finishes, id, isCard, languages }: SoldProduct,
  currency: MarketCurrency
): NewLine => {
  const finish = drawn.of(finishes) ?? "Standard"
  const language = drawn.of(languages) ?? "en"
  const quantity = 1 + drawn.below(8)
  const price = { amount: (20 + drawn.below(4000)) / 100, currency }
  // One line in five is not for sale.
  const listing = drawn.below(5) === 0 ? null : { price }
  return { productId: id, finish, language, quantity, listing, ...drawState(drawn, isCard), ...drawNotes(drawn) }
}

/** Maximum bytes decompressed for stock, so that a large catalogue does not delay the start. */
const maxPackedBytes = 3_000_000

/** Returns the games that open quickly: all small ones, or the smallest. */
const quickGames = (games: ReadonlyArray<LiveGame>): ReadonlyArray<LiveGame> => {
  const packedSize = ({ stored }: LiveGame) => stored.packedBytes ?? 0
  const smallest = games.toSorted((a, b) => packedSize(a) - packedSize(b))[0]
  return games.filter((game) => game === smallest || packedSize(game) <= maxPackedBytes)
}

/** Creates lines of each seller with live products, of games with small ids if there are any. Omits refused lines. */
export const fillStock = Effect.fnUntraced(function* (
  drawn: Drawn,
  { sellers }: Traders,
  { atMillis, linesEach }: { readonly linesEach: number; readonly atMillis: number }
) {
  const { games } = yield* LiveCatalogue
  const { write } = yield* State
  const stocked = quickGames([...games.values()])
  const gameIds = new Set(stocked.map(({ stored }) => stored.game.id))
  const opened = yield* Effect.forEach(stocked, openLive)
  const small = opened.filter(hasSmallIds)
  const shelves = (small.length > 0 ? small : opened).map(({ products }) => products)
  for (const { id: accountId, currency } of sellers) {
    const ids = Array.from({ length: linesEach }, () => {
      const shelf = drawn.of(shelves)
      return shelf === undefined ? "" : String(shelf.id(drawn.below(shelf.size)))
    })
    const products = yield* soldProducts(ids, gameIds)
    const lines = ids.flatMap((each) => {
      const product = products.get(each)
      return product === undefined ? [] : [drawLine(drawn, product, currency)]
    })
    yield* write((now) => {
      const tx = atInstant(now, atMillis)
      for (const kind of ["location", "tag"] as const) {
        for (const name of labels[kind]) createLabel(tx, { accountId, kind }, { name })
      }
      return Result.succeed(createLines(tx, accountId, { lines, products, origin: "" }))
    })
  }
})
