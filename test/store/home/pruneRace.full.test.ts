import { assert, it } from "@effect/vitest"
import { racePrunes } from "./pruneRace.ts"

const races = 1000

it(
  `a prune and a publisher that was silent race ${races} times, and nothing that is named is gone`,
  { timeout: 1_200_000 },
  async () => {
    const won = await racePrunes(races)
    assert.isAbove(won, 0)
    assert.isBelow(won, races)
  }
)
