import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as fc from "fast-check"
import { vi } from "vitest"
import { wornCatalogues } from "../../diff/wornCatalogues.ts"
import { emptyHome } from "../handMadeNights.ts"
import { runRollback } from "../../../../src/night/run/runRollback.ts"
import { marketplaceAndHome } from "../../../pipelines/nights.ts"
import { deploymentsOf, hasRealCatalogue, realCatalogue } from "../../../pipelines/realCatalogue.ts"
import { makeReplica } from "./replica.ts"
import { anyHappenings, changesSince, equalsLake, replayLife } from "./replays.ts"

vi.setConfig({ testTimeout: 3_600_000 })

const histories = Number(process.env["REPLAY_HISTORIES"] ?? 40)
/** A new one each time, unless `REPLAY_SEED` names a past one; each history has the next. */
const firstSeed = Number(process.env["REPLAY_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

it.live(
  `in ${histories} histories, the entries since any number lead to the current tables, or the reader starts again (REPLAY_SEED=${firstSeed})`,
  () =>
    Effect.gen(function* () {
      let followed = 0
      let restarted = 0
      for (let seed = firstSeed; seed < firstSeed + histories; seed++) {
        const drawn = fc.sample(fc.tuple(wornCatalogues(5, 5), anyHappenings), { seed, numRuns: 1 })
        for (const [catalogues, life] of drawn) {
          const counts = yield* replayLife(catalogues, life).pipe(
            Effect.scoped,
            Effect.provide(Layer.fresh(emptyHome)),
            Effect.tapCause(() => Effect.logError(`REPLAY_SEED=${seed} REPLAY_HISTORIES=1: ${life.join(", ")}`))
          )
          followed += counts.followed
          restarted += counts.restarted
        }
      }
      assert.isAbove(followed, 3 * histories)
      if (histories >= 40) assert.isAbove(restarted, histories / 20)
    })
)

for (const gameId of ["magic", "riftbound", "fleshandblood"])
  it.live.skipIf(!hasRealCatalogue)(
    `a replica that follows every deployment of ${gameId} has the current tables, and after a rollback, too`,
    () =>
      Effect.gen(function* () {
        const { night, sandbox, services } = yield* marketplaceAndHome({ catalogue: realCatalogue })
        const replica = makeReplica()
        let since = 0
        const follow = (what: string) =>
          Effect.gen(function* () {
            const { entries, next } = yield* changesSince(since, [gameId])
            assert.isNotNull(entries, what)
            for (const entry of entries ?? []) replica.apply(entry)
            since = next
            yield* equalsLake(replica, what)
          }).pipe(Effect.provideContext(services))
        for (const [at, { date }] of deploymentsOf(gameId).entries()) {
          if (at > 0) yield* sandbox.deploy(gameId)
          yield* night(gameId)
          yield* follow(date)
        }
        yield* runRollback({ gameId, wanted: null, why: null }).pipe(Effect.scoped, Effect.provideContext(services))
        yield* follow("after a rollback")
      }).pipe(Effect.scoped)
  )
