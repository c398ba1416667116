import { Context, Effect, Semaphore, Result } from "effect"
import { State, type Transaction } from "../state/State.ts"
import { LiveOffers } from "./LiveOffers.ts"
import type { LivingGame, InitialShelf } from "./livingShelf.ts"
import { makeAccount } from "../accounts/accounts.ts"
import { addUnits, type QuantityLog } from "../inventory/putLine.ts"
import { type Listing, type Region, regionCurrency } from "./inventedListings.ts"

/** A product with the listings in its catalogue's live blocks. */
interface CatalogueProduct {
  readonly productId: number
  readonly game: string
  readonly listings: ReadonlyArray<Listing>
}

const sellersEach = 12
const countries: Readonly<Record<Region, ReadonlyArray<string>>> = { eu: ["DE", "FR", "IT", "ES"], na: ["US"] }

/** Creates the accounts of invented listings, which have no key. A conflicting name gets an id as suffix. */
const makeSellers = (tx: Transaction, region: Region): ReadonlyArray<string> =>
  Array.from({ length: sellersEach }, (_, at) => {
    const id = tx.newId()
    const name = `stall-${region}-${at + 1}`
    const isUsed = tx.one("select 1 as yes from accounts where username = :name", { name }) !== undefined
    const country = countries[region][at % countries[region].length] ?? "DE"
    const seller = { type: at % 3 === 0 ? ("pro" as const) : ("individual" as const), currency: regionCurrency[region] }
    makeAccount(tx, { id, username: isUsed ? `${name}-${id}` : name, country, seller })
    tx.run("insert into invented_sellers values (:id, :region)", { id, region })
    return id
  })

const findSellers = (tx: Transaction, region: Region): ReadonlyArray<string> => {
  const found = tx.all<{ account_id: string }>(
    "select account_id from invented_sellers where region = :region order by account_id",
    { region }
  )
  return found.length > 0 ? found.map(({ account_id }) => account_id) : makeSellers(tx, region)
}

/** Suppresses events, because initial listings are not reported. */
const unreported: QuantityLog = { note: () => {}, emit: () => {} }
const slab = { grading_service: "PSA", grade: "9", certification: null }
const noSlab = { grading_service: null, grade: null, certification: null }

/** Stores the listings of products, spread over invented sellers, and marks the products. */
const openListings = (tx: Transaction, products: ReadonlyArray<CatalogueProduct>) => {
  const sellers = { eu: findSellers(tx, "eu"), na: findSellers(tx, "na") }
  for (const { game, listings, productId } of products) {
    for (const [at, { cents, condition, finish, isGraded, language, quantity, region }] of listings.entries()) {
      const state = {
        product_id: productId,
        game,
        finish,
        condition,
        language,
        ...(isGraded ? slab : noSlab),
        price_cents: cents,
        custom_id: null,
        comment: null,
        notes: null,
        location_id: null
      }
      const accountId = sellers[region][at % sellersEach] ?? ""
      addUnits({ tx, log: unreported, accountId }, state, { quantity })
    }
    tx.run("insert into opened_products values (:productId) on conflict do nothing", { productId })
  }
  return Result.succeed(undefined)
}

/** Stores invented listings of products, so that they can be listed and bought. */
export class Stalls extends Context.Service<
  Stalls,
  { readonly open: (productIds: Iterable<number>) => Effect.Effect<void> }
>()("cardlake/sandbox/Stalls") {}

/** Number of products per write. */
const productsPerWrite = 500

export const makeStalls = (games: ReadonlyArray<LivingGame>) =>
  Effect.gen(function* () {
    const { write } = yield* State
    const { isOpen, setOpen, unmoved } = yield* LiveOffers
    const oneAtATime = yield* Semaphore.make(1)
    const findProducts = (shelves: ReadonlyArray<readonly [string, InitialShelf]>, ids: ReadonlyArray<number>) =>
      ids.flatMap((productId): ReadonlyArray<CatalogueProduct> => {
        for (const [game, { listings, shelf }] of shelves) {
          const place = shelf.find(String(productId))
          const initial = place === undefined ? [] : listings(place)
          if (initial.length > 0) return [{ productId, game, listings: initial }]
        }
        return []
      })
    const openNow = Effect.fnUntraced(function* (productIds: ReadonlyArray<number>) {
      const shelves = yield* Effect.promise(() =>
        Promise.all(games.map(async ({ stored, load }) => [stored.game.id, await load()] as const))
      )
      for (let from = 0; from < productIds.length; from += productsPerWrite) {
        const products = findProducts(
          shelves,
          productIds.slice(from, from + productsPerWrite).filter((id) => !isOpen(id))
        )
        if (products.length === 0) continue
        yield* write((tx) => unmoved(() => openListings(tx, products)))
        setOpen(
          products.map(({ productId }) => productId),
          false
        )
        yield* Effect.yieldNow
      }
    }, oneAtATime.withPermit)
    return Stalls.of({
      open: (productIds) => {
        const closed = [...productIds].filter((id) => !isOpen(id))
        return closed.length === 0 ? Effect.void : openNow(closed)
      }
    })
  })
