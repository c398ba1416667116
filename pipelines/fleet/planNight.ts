import { Effect, Layer } from "effect"
import type { Plan } from "../../src/fleet/FleetSteps.ts"
import type { Work } from "../../src/home/bucket/workInBucket.ts"
import { readCurrent } from "../../src/home/Current.ts"
import { newRunId } from "../../src/home/newRunId.ts"
import { listRuns } from "../../src/observe/listRuns.ts"
import { gamesOfNight } from "../../src/run/gamesOfNight.ts"
import { inHome } from "../flags/inHome.ts"
import { allServices } from "../settings/services.ts"

const looking: Work<Plan, never, never> = {
  need: { games: null, of: "newest", folders: "night", runs: "recent" },
  writes: null
}

/** What takes longest comes first; of what was never read nobody knows. */
const weights = Effect.map(listRuns, (reports) => {
  const read = reports.flatMap(({ games }) => games).filter(({ products }) => products !== null)
  return new Map(read.toReversed().map(({ gameId, seconds }) => [gameId, seconds]))
})

/** The games of a night of the fleet, in the order in which workers take them, and those that cannot be read. */
export const planNight = Effect.fn("planNight")(function* (
  settings: Record<string, string>,
  games: ReadonlyArray<string>
) {
  return yield* inHome(settings, looking, (settings) =>
    Effect.gen(function* () {
      const services = yield* Layer.build(allServices(settings))
      return yield* Effect.gen(function* () {
        const night = yield* newRunId
        const { unread, wanted } = yield* gamesOfNight(games, yield* readCurrent)
        const secondsOf = yield* weights
        const weightOf = (gameId: string) => secondsOf.get(gameId) ?? Number.POSITIVE_INFINITY
        return { night, games: wanted.toSorted((a, b) => (weightOf(a) < weightOf(b) ? 1 : -1)), unread }
      }).pipe(Effect.provideContext(services))
    })
  )
}, Effect.scoped)
