import { assert } from "@effect/vitest"
import { Current, readCurrent, wasPublished, withPublications, Home } from "../../../../src/store/home/Home.ts"
import { writeJson } from "../../../../src/store/home/jsonFile.ts"
import { emptyHome } from "../handMadeNights.ts"
import { idOf } from "../invented.ts"
import { suite } from "../../../support/suite.ts"

/** Names that every JavaScript object inherits. */
const words = ["constructor", "toString", "hasOwnProperty", "valueOf", "__proto__"]
const step = (gameId: string) =>
  ({ run: idOf("r"), kind: "nightly", gameId, snapshot: idOf("s"), deploymentId: null, at: "", why: null }) as const

suite(emptyHome, "the published state", (it) => {
  it("has no game but those that were published, whatever they are called", function* () {
    const { current } = yield* Home
    const has = (state: Current) =>
      words.map((word) => state.games[word]?.snapshot ?? wasPublished(state, word, idOf("s")))
    const none = words.map(() => false)
    const before = yield* readCurrent
    assert.deepStrictEqual(has(before), none)
    assert.deepStrictEqual(has(withPublications(before, [step("fable")])), none)
    yield* writeJson(current, Current, withPublications(before, words.slice(0, 4).map(step)))
    assert.deepStrictEqual(has(yield* readCurrent), ["s", "s", "s", "s", false])
  })
})
