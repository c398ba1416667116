import { Result } from "effect"
import { makeAccount } from "../accounts/makeAccount.ts"
import { addUnits } from "../inventory/putLine.ts"
import type { QuantityLog } from "../inventory/LineRow.ts"
import type { Transaction } from "../state/State.ts"
import { type Listing, type Region, regionCurrency } from "./Listing.ts"

/** A product with the listings that its catalogue's live blocks tell of. */
export interface ToldProduct {
  readonly productId: number
  readonly game: string
  readonly listings: ReadonlyArray<Listing>
}

const sellersEach = 12
const countries: Readonly<Record<Region, ReadonlyArray<string>>> = { eu: ["DE", "FR", "IT", "ES"], na: ["US"] }

/** The accounts that hold what nobody made; they have no key. A name that is taken gets an id behind it. */
const makeSellers = (tx: Transaction, region: Region): ReadonlyArray<string> =>
  Array.from({ length: sellersEach }, (_, at) => {
    const id = tx.newId()
    const name = `stall-${region}-${at + 1}`
    const isTaken = tx.one("select 1 as yes from accounts where username = :name", { name }) !== undefined
    const country = countries[region][at % countries[region].length] ?? "DE"
    const seller = { type: at % 3 === 0 ? ("pro" as const) : ("individual" as const), currency: regionCurrency[region] }
    makeAccount(tx, { id, username: isTaken ? `${name}-${id}` : name, country, seller })
    tx.run("insert into invented_sellers values (:id, :region)", { id, region })
    return id
  })

const sellersOf = (tx: Transaction, region: Region): ReadonlyArray<string> => {
  const found = tx.all<{ account_id: string }>(
    "select account_id from invented_sellers where region = :region order by account_id",
    { region }
  )
  return found.length > 0 ? found.map(({ account_id }) => account_id) : makeSellers(tx, region)
}

/** What was for sale from the start is reported to nobody. */
const unreported: QuantityLog = { note: () => {}, emit: () => {} }
const slab = { grading_service: "PSA", grade: "9", certification: null }
const noSlab = { grading_service: null, grade: null, certification: null }

/** Puts the listings of products into the state, spread over invented sellers, and remembers that. */
export const openListings = (tx: Transaction, products: ReadonlyArray<ToldProduct>) => {
  const sellers = { eu: sellersOf(tx, "eu"), na: sellersOf(tx, "na") }
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
