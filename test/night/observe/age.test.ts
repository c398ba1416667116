import { assert, describe } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { feedAhead, lakeAge } from "../../../src/night/observe/examineAge.ts"
import { marketplaceAndHome } from "../../pipelines/nights.ts"
import { deployments } from "../../safety/tinyNights.ts"
import { catalogueFolder, gameId } from "../../store/lake/invented.ts"
import { effect } from "../../support/suite.ts"

const bound = Duration.hours(36)
/** A finding as text, whether it is good or bad. */
const saysOf = <R>(look: Effect.Effect<string, { readonly message: string }, R>) =>
  Effect.match(look, { onSuccess: (says) => `ok: ${says}`, onFailure: (error) => `bad: ${error.message}` })

describe("the age of the lake", () => {
  effect("counts from the last reading, even one that found nothing new, and is bad beyond a bound", function* () {
    yield* TestClock.setTime(Date.parse("2026-11-21T03:00:00Z"))
    const { inHome, night, sandbox } = yield* marketplaceAndHome({
      catalogue: yield* catalogueFolder({ [gameId]: deployments })
    })
    const age = inHome(saysOf(lakeAge(bound)))
    const feed = inHome(saysOf(feedAhead(bound)))
    assert.strictEqual(yield* age, "ok: No night has been published yet")
    assert.strictEqual(yield* feed, "ok: No night has been published yet")

    yield* night(gameId)
    yield* TestClock.adjust("35 hours")
    assert.strictEqual(yield* age, "ok: The newest reading began 1d 11h ago")
    yield* TestClock.adjust("2 hours")
    assert.match(yield* age, /^bad: The newest reading began 1d 13h ago, more than 1d 12h\..* run: cardlake nightly$/)
    assert.strictEqual(yield* feed, "ok: The lake has the newest deployment of every game")

    const [again] = (yield* night(gameId)).games
    assert.strictEqual(again?.verdict, "unchanged")
    assert.strictEqual(yield* age, "ok: The newest reading began 0s ago")

    yield* sandbox.deploy(gameId)
    assert.match(yield* feed, /^ok: The marketplace has newer data, which the next night reads: hollowmere has dep_/)
    yield* TestClock.adjust("40 hours")
    assert.match(
      yield* feed,
      /^bad: The marketplace has newer data, and these games were not read in time: hollowmere has dep_/
    )
  })
})
