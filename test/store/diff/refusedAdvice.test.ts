import { assert, describe, it } from "@effect/vitest"
import { adviceText, chooseLook, heldLines, type Look } from "../../../src/store/diff/heldAdvice.ts"
import { refused } from "../../../src/store/diff/rules/refused.ts"

const held = { gameId: "fable", runId: "2026b", snapshot: "2026b", previous: "2026a" } as never

/** The three lines about refused records that all have this reason. */
const lines = (reason: string) => {
  const look = typeof refused.look === "function" ? refused.look([{ path: "name", reason, records: 5 }]) : refused.look
  return heldLines(held, { reasons: ["5 records were refused"], look }).map((line) => adviceText([line]))
}

describe("records that were all refused for one reason", () => {
  for (const reason of ["Missing key", "Expected string, got an object", "Expected string, got null"])
    it(`lead to the records first, never to a mapping file: ${reason}`, () => {
      const [, look] = lines(reason)
      assert.strictEqual(
        look,
        "Look at the refused records and their reasons, in the data directory: raw/fable/2026b/refusals.ndjson"
      )
    })
  for (const reason of ["Missing key", "Expected string, got an object"])
    it(`may have the field elsewhere, which a mapping file can say: ${reason}`, () => {
      assert.match(lines(reason)[2] ?? "", /do nothing: .*; if the marketplace moved it, .*mapping file/)
    })
  for (const reason of [
    "Expected string, got null",
    "Expected string, got 12",
    "Duplicate key in object",
    "More digits than a number carries exactly: 9007199254740993"
  ])
    it(`do not lead to a mapping file, which cannot change it: ${reason}`, () => {
      assert.notMatch(lines(reason).join(), /mapping file|dialect/)
    })
})

it("refused records beside another reason lead to the changes, too, and are not all that a release publishes", () => {
  const reasons = ["1 record was refused", "Marketplace prices 43.9 %, down from 87.4 %"]
  const [, look, decide] = heldLines(held, { reasons, look: "refused" }).map((line) => adviceText([line]))
  assert.match(look ?? "", /refusals.ndjson; and at the changes: cardlake diff fable 2026a 2026b$/)
  assert.match(decide ?? "", /; if everything else is right and you do not need these records, publish without them: /)
})

it("of several reasons, the one that explains the others decides", () => {
  const chosen: ReadonlyArray<readonly [ReadonlyArray<Look>, Look]> = [
    [["changes", "unknown keys", "emptied"], "unknown keys"],
    [["refused", "clock"], "clock"],
    [["changes", "refused"], "refused"],
    [[], "changes"]
  ]
  for (const [looks, look] of chosen) assert.strictEqual(chooseLook(looks), look)
})
