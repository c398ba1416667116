import { assert, describe, it } from "@effect/vitest"
import { refused } from "../../../src/store/diff/rules/refused.ts"

/** What is said of three refused records of a hundred, or of all. */
const says = (path: string, reason: string, accepted = 97) => {
  const manifest = { gameId: "fable", refused: 3, tables: { products: { rows: accepted } } }
  return refused.sentences({ manifest } as never, [{ path, reason, records: 3 }], 0.01).join()
}

describe("records that were all refused for one reason", () => {
  for (const reason of ["Missing key", "Expected string, got an object"])
    it(`lead to a dialect file: ${reason}`, () => {
      assert.match(says("name", reason), /mapping file/)
      assert.match(says("name", reason, 0), /mapping file/)
    })
  for (const reason of [
    "Expected string, got null",
    "Expected string, got 12",
    "Duplicate key in object",
    "More digits than a number carries exactly: 9007199254740993"
  ])
    it(`do not lead to a dialect file, which cannot change it: ${reason}`, () => {
      assert.notMatch(says("name", reason), /dialect/)
      assert.notMatch(says("name", reason, 0), /dialect/)
    })
})
