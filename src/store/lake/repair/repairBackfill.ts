import { Effect } from "effect"
import type { RunId } from "../../../feed/contract/Ids.ts"
import { isThere } from "../../home/disk.ts"
import { Home } from "../../home/Home.ts"
import { asideIn, setAside } from "../../home/setAside.ts"
import { backfilledGames, damagedAnswers, wholeParts } from "../backfill/backfillDamages.ts"
import { storeBackfill } from "../backfill/storeBackfill.ts"

/**
 * Repairs backfills: rebuilds a damaged history from the answers, and sets damaged answers aside. The next backfill
 * requests these again unless the history has them. Returns what was done.
 */
export const repairBackfill = Effect.fn("repairBackfill")(function* (run: RunId) {
  const home = yield* Home
  const aside = asideIn(home)
  const done: Array<string> = []
  for (const gameId of yield* backfilledGames) {
    const parts = yield* Effect.matchEffect(wholeParts(gameId), {
      onSuccess: Effect.succeed,
      onFailure: () =>
        Effect.gen(function* () {
          yield* setAside(run, [home.backfillParts(gameId)])
          done.push(`the damaged history of the backfill of ${gameId} is ${aside}, and rebuilt from its answers`)
          return []
        })
    })
    const damaged = (yield* damagedAnswers(gameId, parts)).filter(({ file }) => isThere(file))
    yield* setAside(
      run,
      damaged.map(({ file }) => file)
    )
    if (damaged.length > 0) {
      const [one] = damaged
      done.push(`${damaged.length} damaged answers of the backfill of ${gameId} are ${aside} (${one?.file ?? ""})`)
    }
    if (done.length > 0) yield* storeBackfill(run, gameId, false)
  }
  return done
})
