import { keepRecent } from "../keepRecent.ts"
import type { DeploymentChanges, StoredGame } from "../StoredCatalogue.ts"
import { textLines } from "../textLines.ts"
import { textShelf } from "../textShelf.ts"
import { storyDays } from "./storyDays.ts"
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
  return {
    ...stored,
    deployments: steps.map(({ on }) => ({ name: on, deployedAt: `${on}T04:00:00.000Z` })),
    open: keepRecent(2, async (place) => {
      const { on, step } = stepAt(place)
      const { expansions, products } = await stored.open(step.of)
      const lines = Array.from({ length: products.size }, (_, index) =>
        pricedOn(Buffer.from(products.text(index)).toString(), on, step)
      )
      return { expansions, products: textShelf(textLines(Buffer.from(lines.join("\n")))) }
    }),
    changes: async (place) => {
      const { of } = stepAt(place).step
      return place > 0 && stepAt(place - 1).step.of === of ? untouched : stored.changes(of)
    }
  }
}
