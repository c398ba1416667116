import { Effect, Schema } from "effect"
import { Price } from "../../feed/contract/Prices.ts"
import { type HistoryRow, PriceSource } from "../../feed/contract/PriceHistory.ts"
import { productText } from "../catalogue/LiveCatalogue.ts"
import { isPlainObject, type Json, readRecord } from "../catalogue/StoredCatalogue.ts"
import type { LiveGame } from "../catalogue/LiveGame.ts"
import { dayMillis, MarketClock, textOfMillis } from "../state/MarketClock.ts"
import { badRequest } from "../answers/refusals.ts"

/**
 * Returns a product's price blocks by finish; a sealed product has only `Standard`. Returns `{}` if there are no
 * prices.
 */
export const pricesByFinish = (product: Json): Json => {
  const { prices, pricesByFinish: byFinish } = product
  if (isPlainObject(byFinish)) return byFinish
  return isPlainObject(prices) && Object.keys(prices).length > 0 ? { Standard: prices } : {}
}

/** A period with inclusive days. */
interface HistoryPeriod {
  readonly from: string
  readonly to: string
}

const defaultDays = 30
const maxDays = 365

const formatDay = (millis: number): string => new Date(millis).toISOString().slice(0, 10)
const nextDay = (day: string): string => formatDay(Date.parse(day) + dayMillis)

/**
 * Returns the requested period, at most 365 days. Defaults: `to` is today, `from` 30 days earlier.
 * Beyond the spec: section 7.
 */
export const historyPeriod = Effect.fnUntraced(function* (query: Partial<HistoryPeriod>) {
  const nowMillis = (yield* MarketClock).now()
  const to = query.to ?? formatDay(nowMillis)
  const from = query.from ?? formatDay(Date.parse(to) - defaultDays * dayMillis)
  if (from > to) return yield* badRequest("from", `${from} is after to, ${to}`)
  if (Date.parse(to) - Date.parse(from) > maxDays * dayMillis) {
    return yield* badRequest("from", `is more than ${maxDays} days before to, ${to}`)
  }
  return { from, to } satisfies HistoryPeriod
})

/** Filters of a product's history. Default: all sources and finishes. */
interface HistoryFilter extends HistoryPeriod {
  readonly marketplace?: HistoryRow["marketplace"]
  readonly finish?: string
}

const isPrice = Schema.is(Price)

/** Returns the valid prices of a block, since an invalid record may have others. */
const readPrices = (block: Json) => {
  const figure = (name: "low" | "mid" | "high" | "marketValue") => {
    const value = block[name]
    return isPrice(value) ? { [name]: value } : {}
  }
  return { ...figure("low"), ...figure("mid"), ...figure("high"), ...figure("marketValue") }
}

/** Returns the history rows of a day. The live block has no history. */
const listRows = (date: string, product: Json, query: HistoryFilter): ReadonlyArray<HistoryRow> =>
  Object.entries(pricesByFinish(product)).flatMap(([finish, blocks]) =>
    PriceSource.literals.flatMap((marketplace) => {
      const block = isPlainObject(blocks) ? blocks[marketplace] : undefined
      const isWanted = (query.finish ?? finish) === finish && (query.marketplace ?? marketplace) === marketplace
      return isWanted && isPlainObject(block) ? [{ date, marketplace, finish, ...readPrices(block) }] : []
    })
  )

/** A game's prices of a day: those of a deployment after a number of rebuilds. */
interface PricesOfDay {
  readonly deployment: number
  readonly rebuilds: number
}

/**
 * Returns the days in a period that have prices, oldest first: those of deployments and rebuilds, for each day the last,
 * and undefined on days whose prices the catalogue has besides.
 */
const pricesByDay = ({ live, rebuilt, stored: { daily, deployments } }: LiveGame, { from, to }: HistoryPeriod) => {
  const days = new Map<string, PricesOfDay | undefined>()
  const lastDay = deployments[live()]?.deployedAt.slice(0, 10) ?? ""
  const lastDaily = daily === undefined || to < lastDay ? to : lastDay
  for (let day = daily?.from ?? nextDay(to); day <= lastDaily; day = nextDay(day)) days.set(day, undefined)
  for (const [deployment, { deployedAt }] of deployments.slice(0, live() + 1).entries()) {
    const times = [deployedAt, ...rebuilt.of(deployment).map(({ at }) => textOfMillis(at))]
    for (const [rebuilds, at] of times.entries()) days.set(at.slice(0, 10), { deployment, rebuilds })
  }
  return [...days].filter(([day]) => day >= from && day <= to).toSorted(([one], [other]) => (one < other ? -1 : 1))
}

/** Returns a product with the prices of a day; undefined if there is none. */
const productOn = async (
  { rebuilt, stored }: LiveGame,
  { day, prices }: { readonly day: string; readonly prices: PricesOfDay | undefined },
  id: string
) => {
  if (prices === undefined || (stored.daily !== undefined && prices.rebuilds === 0)) {
    return (await stored.daily?.productsOn(day))?.(id)
  }
  const text = productText(await rebuilt.open(prices.deployment, prices.rebuilds), id)
  return text === undefined ? undefined : readRecord(text)
}

/**
 * Returns a product's price history over deployments and rebuilds: one row per day, source and finish.
 * Beyond the spec: section 7.
 */
export const priceHistory = async (
  game: LiveGame,
  productId: string,
  query: HistoryFilter
): Promise<ReadonlyArray<HistoryRow>> => {
  const rows: Array<HistoryRow> = []
  for (const [day, prices] of pricesByDay(game, query)) {
    // One after the other: each may have to be unpacked.
    // oxlint-disable-next-line no-await-in-loop
    const product = await productOn(game, { day, prices }, productId)
    if (product !== undefined) rows.push(...listRows(day, product, query))
  }
  return rows
}
