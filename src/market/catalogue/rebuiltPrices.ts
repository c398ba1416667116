import type { ProductShelf, StoredDeployment, StoredGame } from "./StoredCatalogue.ts"
import { renameKeys } from "../wording/renameKeys.ts"
import { seededNumber } from "./seededNumber.ts"
import { afterSpace, type Span, spansIn } from "../../feed/contract/jsonSpans.ts"

/** A rebuild of a game's prices apart from a deployment. */
export interface Rebuild {
  /** Decides which prices move, and how far. */
  readonly seed: number
  /** The marketplace's time, in milliseconds. */
  readonly at: number
}

/** Prices as they were deployed, and each rebuild since. */
interface PriceLine {
  readonly deployedAt: number
  readonly rebuilds: ReadonlyArray<Rebuild>
}

const dayMillis = 86_400_000
const windows: ReadonlyMap<string, number> = new Map([
  ["change24h", 1],
  ["change7d", 7],
  ["change30d", 30]
])
const figures = new Set(["low", "mid", "high", "marketValue"])
const sources = new Set(["sourceEur", "sourceUsd"])

/** What is not a price of at most two decimals stays as it is, so that the contract keeps refusing it. */
const price = /^(\d{1,9})(?:\.(\d{1,2}))?$/

const centsOf = (text: string): number | undefined => {
  const [, whole, places = ""] = price.exec(text) ?? []
  return whole === undefined ? undefined : Number(whole) * 100 + Number(places.padEnd(2, "0"))
}

const textOf = (cents: number): string =>
  `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`.replace(/\.?0+$/, "")

/** In whole cents, a half rounded up; what costs something goes on costing something. */
const moved = (cents: number, perMille: number): number =>
  cents === 0 ? 0 : Math.max(1, Math.floor((cents * perMille + 500) / 1000))

/** Every fourth block stays; the others move by up to a tenth, all figures of a block alike. */
const perMilleOf = (seed: number, block: string): number => {
  const draw = seededNumber(seed, block)
  return draw < 0.25 ? 1000 : 900 + Math.floor(((draw - 0.25) / 0.75) * 201)
}

/** The factors of a block, one a rebuild. */
type Factors = ReadonlyArray<number>

const rebuiltCents = (cents: number, factors: Factors): number => factors.reduce(moved, cents)

const objectOf = (members: ReadonlyArray<string>): string => `{${members.join(",")}}`

/** The percent change of a window, if the prices of these rebuilds began or were rebuilt on the day it looks back to. */
const changeOf = (days: number, cents: number, factors: Factors, { deployedAt, rebuilds }: PriceLine) => {
  const dayOf = (at: number) => Math.floor(at / dayMillis)
  const times = [deployedAt, ...rebuilds.map(({ at }) => at)]
  const then = times.findLastIndex((at) => dayOf(at) === dayOf(times.at(-1) ?? 0) - days)
  const before = then < 0 ? 0 : rebuiltCents(cents, factors.slice(0, then))
  return before === 0 ? undefined : Math.round((rebuiltCents(cents, factors) / before - 1) * 10_000) / 100
}

/** A source's block, or one inside it. Its percentages are those that the rebuilds give, and no others. */
const rebuiltBlock = (text: string, open: number, factors: Factors, line: PriceLine): string => {
  const members = spansIn(text, open)
  const values = members.flatMap(({ at, end, key, start }) => {
    if (windows.has(key)) return []
    const head = text.slice(at, start)
    if (text[start] === "{") return [head + rebuiltBlock(text, start, factors, line)]
    const cents = figures.has(key) ? centsOf(text.slice(start, end)) : undefined
    return [cents === undefined ? text.slice(at, end) : head + textOf(rebuiltCents(cents, factors))]
  })
  const market = members.find(({ key }) => key === "marketValue")
  const cents = market === undefined ? undefined : centsOf(text.slice(market.start, market.end))
  const changes = [...windows].flatMap(([name, days]) => {
    const change = cents === undefined ? undefined : changeOf(days, cents, factors, line)
    return change === undefined ? [] : [`"${name}":${change}`]
  })
  return objectOf([...values, ...changes])
}

/** The object that opens at `open`, with what `rebuild` makes of its objects. */
const withObjects = (text: string, open: number, rebuild: (member: Span) => string | null): string =>
  objectOf(
    spansIn(text, open).map((member) => {
      const rebuilt = text[member.start] === "{" ? rebuild(member) : null
      return rebuilt === null ? text.slice(member.at, member.end) : text.slice(member.at, member.start) + rebuilt
    })
  )

/** The blocks of a finish: those of the sources are rebuilt, live ones stay. */
const rebuiltFinish = (text: string, open: number, finish: string, line: PriceLine): string =>
  withObjects(text, open, ({ key, start }) => {
    if (!sources.has(key)) return null
    const factors = line.rebuilds.map(({ seed }) => perMilleOf(seed, `${finish} ${key}`))
    return rebuiltBlock(text, start, factors, line)
  })

/** A product's text with the prices that its rebuilds gave it; all else stays as it is. */
const rebuiltText = (bytes: Buffer, productId: number, line: PriceLine): Buffer => {
  const text = bytes.toString()
  const parts: Array<string> = []
  let copied = 0
  for (const { end, key, start } of spansIn(text, afterSpace(text, 0))) {
    if (text[start] !== "{" || (key !== "prices" && key !== "pricesByFinish")) continue
    const prices =
      key === "prices"
        ? rebuiltFinish(text, start, `${productId} Standard`, line)
        : withObjects(text, start, (finish) => rebuiltFinish(text, finish.start, `${productId} ${finish.key}`, line))
    parts.push(text.slice(copied, start), prices)
    copied = end
  }
  return parts.length === 0 ? bytes : Buffer.from(parts.join("") + text.slice(copied))
}

/** What one deployment was and is: its prices were as deployed, then as each rebuild left them. */
export interface RebuiltPrices {
  /** Rebuilds of a deployment, oldest first. */
  readonly of: (deployment: number) => ReadonlyArray<Rebuild>
  /** How many there were of all deployments, and when the last one was; `-Infinity`: never. */
  readonly count: () => number
  readonly lastAt: () => number
  readonly add: (deployment: number, rebuild: Rebuild) => void
  /** The deployment after so many of its rebuilds; by default, after all of them. */
  readonly open: (deployment: number, rebuilds?: number) => Promise<StoredDeployment>
}

const rebuiltShelf = (base: ProductShelf, line: PriceLine): ProductShelf => {
  const rebuilt = (index: number): Buffer => {
    const { buffer, byteLength, byteOffset } = base.text(index)
    return rebuiltText(Buffer.from(buffer, byteOffset, byteLength), base.id(index), line)
  }
  return {
    ...base,
    text: rebuilt,
    worded: (index, rule) => (rule === null ? rebuilt(index) : renameKeys(rebuilt(index), rule))
  }
}

/** Prices of a game that can be rebuilt apart from its deployments. */
export const makeRebuiltPrices = (stored: StoredGame): RebuiltPrices => {
  const made = new Map<number, ReadonlyArray<Rebuild>>()
  let count = 0
  let lastAt = -Infinity
  const of = (deployment: number) => made.get(deployment) ?? []
  return {
    of,
    count: () => count,
    lastAt: () => lastAt,
    add: (deployment, rebuild) => {
      made.set(deployment, [...of(deployment), rebuild])
      count += 1
      lastAt = rebuild.at
    },
    open: async (deployment, rebuilds = of(deployment).length) => {
      const opened = await stored.open(deployment)
      if (rebuilds === 0) return opened
      const deployedAt = Date.parse(stored.deployments[deployment]?.deployedAt ?? "")
      const line = { deployedAt, rebuilds: of(deployment).slice(0, rebuilds) }
      return { ...opened, products: rebuiltShelf(opened.products, line) }
    }
  }
}
