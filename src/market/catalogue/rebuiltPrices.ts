import type { ProductShelf, StoredDeployment, StoredGame } from "./StoredCatalogue.ts"
import { renameKeys } from "../wording/renameKeys.ts"
import { seededNumber } from "./seededNumber.ts"
import { afterSpace, type Span, spansIn } from "../../feed/contract/jsonSpans.ts"

/** A rebuild of a game's prices between deployments. */
export interface Rebuild {
  /** Seed that decides which prices change and by how much. */
  readonly seed: number
  /** Time on the marketplace's clock, in milliseconds. */
  readonly at: number
}

/** The deployed prices and each later rebuild. */
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

/** Matches prices of at most two decimals. Other values are unchanged, so that the contract still refuses them. */
const price = /^(\d{1,9})(?:\.(\d{1,2}))?$/

const parseCents = (text: string): number | undefined => {
  const [, whole, places = ""] = price.exec(text) ?? []
  return whole === undefined ? undefined : Number(whole) * 100 + Number(places.padEnd(2, "0"))
}

const formatCents = (cents: number): string =>
  `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`.replace(/\.?0+$/, "")

/** Scales a price in whole cents, with half rounded up. A positive price remains positive. */
const scaleCents = (cents: number, perMille: number): number =>
  cents === 0 ? 0 : Math.max(1, Math.floor((cents * perMille + 500) / 1000))

/**
 * Returns the factor of a block in thousandths. A quarter of the blocks keep 1000; the others change by up to 10 %. All
 * figures of a block use one factor.
 */
const drawFactor = (seed: number, block: string): number => {
  const draw = seededNumber(seed, block)
  return draw < 0.25 ? 1000 : 900 + Math.floor(((draw - 0.25) / 0.75) * 201)
}

/** The factors of a block, one per rebuild. */
type Factors = ReadonlyArray<number>

const rebuiltCents = (cents: number, factors: Factors): number => factors.reduce(scaleCents, cents)

const joinMembers = (members: ReadonlyArray<string>): string => `{${members.join(",")}}`

/** Returns the percent change over a window, if these rebuilds have a price on the window's first day. */
const computeChange = (days: number, cents: number, factors: Factors, { deployedAt, rebuilds }: PriceLine) => {
  const dayNumber = (at: number) => Math.floor(at / dayMillis)
  const times = [deployedAt, ...rebuilds.map(({ at }) => at)]
  const then = times.findLastIndex((at) => dayNumber(at) === dayNumber(times.at(-1) ?? 0) - days)
  const before = then < 0 ? 0 : rebuiltCents(cents, factors.slice(0, then))
  return before === 0 ? undefined : Math.round((rebuiltCents(cents, factors) / before - 1) * 10_000) / 100
}

/** Rebuilds a source's block or a nested one. Its percentages come from the rebuilds alone. */
const rebuiltBlock = (text: string, open: number, factors: Factors, line: PriceLine): string => {
  const members = spansIn(text, open)
  const values = members.flatMap(({ at, end, key, start }) => {
    if (windows.has(key)) return []
    const head = text.slice(at, start)
    if (text[start] === "{") return [head + rebuiltBlock(text, start, factors, line)]
    const cents = figures.has(key) ? parseCents(text.slice(start, end)) : undefined
    return [cents === undefined ? text.slice(at, end) : head + formatCents(rebuiltCents(cents, factors))]
  })
  const market = members.find(({ key }) => key === "marketValue")
  const cents = market === undefined ? undefined : parseCents(text.slice(market.start, market.end))
  const changes = [...windows].flatMap(([name, days]) => {
    const change = cents === undefined ? undefined : computeChange(days, cents, factors, line)
    return change === undefined ? [] : [`"${name}":${change}`]
  })
  return joinMembers([...values, ...changes])
}

/** Replaces the members of the object at `open` with the results of `rebuild`. */
const withObjects = (text: string, open: number, rebuild: (member: Span) => string | null): string =>
  joinMembers(
    spansIn(text, open).map((member) => {
      const rebuilt = text[member.start] === "{" ? rebuild(member) : null
      return rebuilt === null ? text.slice(member.at, member.end) : text.slice(member.at, member.start) + rebuilt
    })
  )

/** Rebuilds the source blocks of a finish. Live blocks are unchanged. */
const rebuiltFinish = (text: string, open: number, finish: string, line: PriceLine): string =>
  withObjects(text, open, ({ key, start }) => {
    if (!sources.has(key)) return null
    const factors = line.rebuilds.map(({ seed }) => drawFactor(seed, `${finish} ${key}`))
    return rebuiltBlock(text, start, factors, line)
  })

/** Rebuilds the prices in a product's text; the rest is unchanged. */
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

/** Keeps the price versions of each deployment: as deployed, then after each rebuild. */
export const makeRebuiltPrices = (stored: StoredGame) => {
  const made = new Map<number, ReadonlyArray<Rebuild>>()
  let count = 0
  let lastAt = -Infinity
  const of = (deployment: number) => made.get(deployment) ?? []
  return {
    /** Rebuilds of a deployment, oldest first. */
    of,
    /** Rebuilds of all deployments, and the time of the last one; `-Infinity` if there were none. */
    count: () => count,
    lastAt: () => lastAt,
    add: (deployment: number, rebuild: Rebuild) => {
      made.set(deployment, [...of(deployment), rebuild])
      count += 1
      lastAt = rebuild.at
    },
    /** Opens a deployment after this many of its rebuilds; by default after all. */
    open: async (deployment: number, rebuilds = of(deployment).length): Promise<StoredDeployment> => {
      const opened = await stored.open(deployment)
      if (rebuilds === 0) return opened
      const deployedAt = Date.parse(stored.deployments[deployment]?.deployedAt ?? "")
      const line = { deployedAt, rebuilds: of(deployment).slice(0, rebuilds) }
      return { ...opened, products: rebuiltShelf(opened.products, line) }
    }
  }
}
export type RebuiltPrices = ReturnType<typeof makeRebuiltPrices>
