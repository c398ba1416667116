import { type Json, readRecord, isPlainObject, type DeploymentChanges, type StoredGame } from "./StoredCatalogue.ts"
import { keepRecent } from "../answers/caches.ts"
import { textLines, textShelf } from "./textShelf.ts"
import { seededNumber } from "./seededNumber.ts"

/** A game's state from a day on: a stored deployment with that day's prices. */
interface StoryStep {
  /** Index of the stored deployment, from 0. */
  readonly of: number
  /** A price source that lists only four in ten products that day. */
  readonly quiet?: "sourceEur" | "sourceUsd"
}

/** A day on which the feed is read, and the games redeployed before it. */
interface StoryDay {
  readonly on: string
  readonly deploys: Readonly<Record<string, StoryStep>>
}

/** Ten days in three weeks. On two of them the feed does not change; on another a price source has few prices. */
export const storyDays: ReadonlyArray<StoryDay> = [
  { on: "2026-08-03", deploys: { emberfall: { of: 0 }, tidewrack: { of: 0 }, "clockwork-orchard": { of: 0 } } },
  { on: "2026-08-05", deploys: { emberfall: { of: 0 } } },
  { on: "2026-08-07", deploys: {} },
  { on: "2026-08-10", deploys: { emberfall: { of: 1 } } },
  { on: "2026-08-12", deploys: { emberfall: { of: 1 } } },
  { on: "2026-08-14", deploys: {} },
  { on: "2026-08-17", deploys: { tidewrack: { of: 0, quiet: "sourceUsd" } } },
  { on: "2026-08-19", deploys: { emberfall: { of: 2 } } },
  { on: "2026-08-21", deploys: { "clockwork-orchard": { of: 1 } } },
  { on: "2026-08-24", deploys: { emberfall: { of: 3 }, tidewrack: { of: 1 } } }
]

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

/** Returns the days since the start of the story. */
const dayOfStory = (on: string): number => (Date.parse(on) - Date.parse(storyDays[0]?.on ?? on)) / 86_400_000

const priceKeys = new Set(["low", "mid", "high", "marketValue", "amount"])

/**
 * Returns the price factor: a weekly swing of 6 % per product, and for six in ten a daily one of 2 %. One in a hundred
 * rises 4 % daily in the last week.
 */
const computeFactor = (id: number, finish: string, day: number): number => {
  const draw = seededNumber(id, finish)
  const moved = day - ((day + Math.floor(draw * 700)) % 7)
  const climbed = draw < 0.01 ? 1.04 ** Math.max(0, day - 14) : 1
  const daily = draw < 0.6 ? 0.02 * Math.sin(draw * 500 + day * 1.7) : 0
  return climbed * (1 + daily + 0.06 * Math.sin(draw * 1000 + moved / 4))
}

/** Scales a price. A figure in fractions of a cent is unchanged, so that the contract still refuses it. */
const scalePrice = (value: unknown, factor: number): unknown => {
  if (!isPlainObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isPrice = priceKeys.has(key) && typeof inner === "number" && Math.round(inner * 100) / 100 === inner
      return [key, isPrice ? Math.round(inner * factor * 100) / 100 : scalePrice(inner, factor)]
    })
  )
}

/** Returns a product record with the prices of a day of the story. */
const setPrices = (product: Json, on: string, { quiet }: StoryStep): Json => {
  const id = Number(product["id"])
  const day = dayOfStory(on)
  const moveBlocks = (finish: string, blocks: unknown): unknown => {
    const moved = scalePrice(blocks, computeFactor(id, finish, day))
    if (!isPlainObject(moved) || quiet === undefined || id % 10 < 4) return moved
    const { [quiet]: _quiet, ...others } = moved
    return others
  }
  const { prices, pricesByFinish } = product
  return {
    ...product,
    ...(prices === undefined ? {} : { prices: moveBlocks("Standard", prices) }),
    ...(isPlainObject(pricesByFinish)
      ? {
          pricesByFinish: Object.fromEntries(
            Object.entries(pricesByFinish).map(([finish, blocks]) => [finish, moveBlocks(finish, blocks)])
          )
        }
      : {})
  }
}

/** Keys of percent changes, with their windows in days. Spec: Prices. */
const windows = { change24h: 1, change7d: 7, change30d: 30 } as const

/** A product at the beginning of each window. */
type EarlierProducts = { readonly [window in keyof typeof windows]: Json }

const sources = ["sourceEur", "sourceUsd"] as const

const objectIn = (parent: unknown, key: string): Json => {
  const found = isPlainObject(parent) ? parent[key] : undefined
  return isPlainObject(found) ? found : {}
}

const readMarketValue = (block: Json): number => (typeof block["marketValue"] === "number" ? block["marketValue"] : 0)

/** Returns the price blocks with percentages computed from the earlier ones. */
const changed = (blocks: unknown, earlier: (window: keyof typeof windows) => Json): unknown => {
  if (!isPlainObject(blocks)) return blocks
  const out: Record<string, unknown> = { ...blocks }
  for (const source of sources) {
    if (!isPlainObject(blocks[source])) continue
    const { change24h: _day, change7d: _week, change30d: _month, ...block } = blocks[source]
    const now = readMarketValue(block)
    const changes = (["change24h", "change7d", "change30d"] as const).flatMap((window) => {
      const old = readMarketValue(objectIn(earlier(window), source))
      return old > 0 && now > 0 ? [[window, Math.round((now / old - 1) * 10_000) / 100]] : []
    })
    out[source] = { ...block, ...Object.fromEntries(changes) }
  }
  return out
}

/** Recomputes a product's percentages from its earlier prices and removes all others. */
const withPercentages = (product: Json, earlier: EarlierProducts): Json => {
  const { prices, pricesByFinish } = product
  return {
    ...product,
    ...(prices === undefined ? {} : { prices: changed(prices, (window) => objectIn(earlier[window], "prices")) }),
    ...(isPlainObject(pricesByFinish)
      ? {
          pricesByFinish: Object.fromEntries(
            Object.entries(pricesByFinish).map(([finish, blocks]) => [
              finish,
              changed(blocks, (window) => objectIn(objectIn(earlier[window], "pricesByFinish"), finish))
            ])
          )
        }
      : {})
  }
}

const untouched: DeploymentChanges = {
  products: { added: [], modified: [], removed: [] },
  expansions: { added: [], modified: [], removed: [] }
}

/** Returns a stored game as the story replays it: one step per deployment day. Most steps change only prices. */
export const storyGame = (stored: StoredGame): StoredGame => {
  const steps = storyDays.flatMap(({ deploys, on }) => {
    const step = deploys[stored.game.id]
    return step === undefined ? [] : [{ on, step }]
  })
  const stepAt = (place: number) => steps[place] ?? { on: "", step: { of: 0 } }
  /** Returns products by id as they are on a day; before the story, those of its first step with that day's prices. */
  const productsOn = async (day: string) => {
    const { on, step } = steps.findLast((each) => each.on <= day) ?? { on: day, step: stepAt(0).step }
    const { products } = await stored.open(step.of)
    return (id: string): Json => {
      const index = products.find(id)
      return index === undefined ? {} : setPrices(readRecord(products.text(index)), on, step)
    }
  }
  return {
    ...stored,
    deployments: steps.map(({ on }) => ({ name: on, deployedAt: `${on}T04:00:00.000Z` })),
    open: keepRecent(2, async (place) => {
      const { on, step } = stepAt(place)
      const { expansions, products } = await stored.open(step.of)
      const before = await Promise.all(
        Object.entries(windows).map(async ([window, days]) => [window, await productsOn(addDays(on, -days))] as const)
      )
      const lines = Array.from({ length: products.size }, (_, index) => {
        const product = setPrices(readRecord(products.text(index)), on, step)
        const earlier = before.map(([window, productOf]) => [window, productOf(String(product["id"]))])
        return JSON.stringify(withPercentages(product, Object.fromEntries(earlier) as EarlierProducts))
      })
      return { expansions, products: textShelf(textLines(Buffer.from(lines.join("\n")))) }
    }),
    daily: { from: addDays(stepAt(0).on, -windows.change30d), productsOn },
    changes: async (place) => {
      const { of } = stepAt(place).step
      return place > 0 && stepAt(place - 1).step.of === of ? untouched : stored.changes(of)
    }
  }
}
