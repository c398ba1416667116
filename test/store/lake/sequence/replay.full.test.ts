import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { vi } from "vitest"
import { wornCatalogues } from "../../diff/wornCatalogues.ts"
import { emptyHome } from "../handMadeNights.ts"
import { holds } from "../heldByFastCheck.ts"
import { runRollback } from "../../../../src/night/run/runRollback.ts"
import { marketplaceAndHome } from "../../../pipelines/nights.ts"
import { deploymentsOf, hasRealCatalogue, realCatalogue } from "../../../pipelines/realCatalogue.ts"
import { makeReplica } from "./replica.ts"
import { anyHappenings, changesSince, equalsLake, replayLife } from "./replays.ts"

vi.setConfig({ testTimeout: 3_600_000 })

it.live("in 40 histories, the entries since any number lead to the current tables, or the reader starts again", () =>
  Effect.gen(function* () {
    let followed = 0
    let restarted = 0
    yield* holds(fc.tuple(wornCatalogues(5, 5), anyHappenings), 40, ([catalogues, life]) =>
      Effect.gen(function* () {
        const counts = yield* replayLife(catalogues, life)
        followed += counts.followed
        restarted += counts.restarted
      }).pipe(Effect.scoped, Effect.provide(emptyHome))
    )
    assert.isAbove(followed, 120)
    assert.isAbove(restarted, 10)
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
