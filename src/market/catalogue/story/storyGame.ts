import { type Json, readRecord } from "../Json.ts"
import { keepRecent } from "../keepRecent.ts"
import type { DeploymentChanges, StoredGame } from "../StoredCatalogue.ts"
import { textLines } from "../textLines.ts"
import { textShelf } from "../textShelf.ts"
import { dayOfStory, storyDays } from "./storyDays.ts"
import { type EarlierProducts, windows, withPercentages } from "./storyPercentages.ts"
import { pricedOn } from "./storyPrices.ts"

const untouched: DeploymentChanges = {
  products: { added: [], modified: [], removed: [] },
  expansions: { added: [], modified: [], removed: [] }
}

/**
 * A stored game as the days of the story show it: a step a day
 * that it is deployed on. Most steps move nothing but prices.
 */
export const storyGame = (stored: StoredGame): StoredGame => {
  const steps = storyDays.flatMap(({ deploys, on }) => {
    const step = deploys[stored.game.id]
    return step === undefined ? [] : [{ on, step }]
  })
  const stepAt = (place: number) => steps[place] ?? { on: "", step: { of: 0 } }
  /** The products of the step that is this many days before another one, by id; undefined without such a step. */
  const pricesBefore = async (on: string, days: number) => {
    const earlier = steps.find((each) => dayOfStory(on) - dayOfStory(each.on) === days)
    if (earlier === undefined) return undefined
    const { products } = await stored.open(earlier.step.of)
    return (id: string): Json => {
      const index = products.find(id)
      return index === undefined ? {} : pricedOn(readRecord(products.text(index)), earlier.on, earlier.step)
    }
  }
  return {
    ...stored,
    deployments: steps.map(({ on }) => ({ name: on, deployedAt: `${on}T04:00:00.000Z` })),
    open: keepRecent(2, async (place) => {
      const { on, step } = stepAt(place)
      const { expansions, products } = await stored.open(step.of)
      const before = await Promise.all(
        Object.entries(windows).map(async ([window, days]) => [window, await pricesBefore(on, days)] as const)
      )
      const lines = Array.from({ length: products.size }, (_, index) => {
        const product = pricedOn(readRecord(products.text(index)), on, step)
        const earlier = before.map(([window, productOf]) => [window, productOf?.(String(product["id"]))])
        return JSON.stringify(withPercentages(product, Object.fromEntries(earlier) as EarlierProducts))
      })
      return { expansions, products: textShelf(textLines(Buffer.from(lines.join("\n")))) }
    }),
    changes: async (place) => {
      const { of } = stepAt(place).step
      return place > 0 && stepAt(place - 1).step.of === of ? untouched : stored.changes(of)
    }
  }
}
