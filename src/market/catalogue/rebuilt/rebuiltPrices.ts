import type { ProductShelf, StoredDeployment, StoredGame } from "../StoredCatalogue.ts"
import { renameKeys } from "../../wording/renameKeys.ts"
import { type PriceLine, type Rebuild, rebuiltText } from "./rebuiltText.ts"

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
