import { assert, it } from "@effect/vitest"
import { shortenHeld } from "../../../src/store/diff/heldAdvice.ts"

const held = (gameId: string, what: string) => ({
  gameId,
  text: `${gameId} since 2026-08-17 05:30 UTC: ${what}
Look at the changes: cardlake diff ${gameId} 20260816T053000000Z-0a1b 20260817T053000000Z-0a1b
Decide. If it is right, publish it: cardlake release ${gameId} 20260817T053000000Z-0a1b --why '…'`
})
const what = "Source USD prices 27.9 % of the products, down from 70.2 %: over 20.0 percentage points less"

it("two held games have all their lines", () => {
  const two = [held("a", what), held("b", what)]
  assert.deepStrictEqual(
    shortenHeld(two, true),
    two.map(({ text }) => text)
  )
})

it("of twelve held games each is named, and what to do is printed once for a kind", () => {
  const games = Array.from({ length: 11 }, (_, index) => held(`game${index}`, what))
  const clock = {
    gameId: "late",
    text: "late since 2026-08-17 05:30 UTC: The published reading is in the future\nLook at the clock"
  }
  const [alike = "", other, ...more] = shortenHeld([...games, clock], true)
  const lines = alike.split("\n")
  assert.strictEqual(lines[0], `game0 since 2026-08-17 05:30 UTC: ${what}`)
  assert.strictEqual(lines[8], "3 others of this kind: game8, game9, game10")
  assert.strictEqual(lines[9], "For game0, and likewise for the others:")
  assert.match(lines[11] ?? "", /^Decide\. .* cardlake release game0 20260817T053000000Z-0a1b --why '…'$/)
  assert.strictEqual(lines.length, 12)
  assert.strictEqual(other, clock.text)
  assert.isEmpty(more)
})

it("a hold with many reasons has the first one, how many more there are, and where to read them", () => {
  const reasons = [what, "91 records were refused", "the product was renamed"]
  const many = { ...held("game0", reasons.join("; ")), reasons }
  const [text = "", next] = shortenHeld([many, held("game1", what), held("game2", what)], true)
  const [first, second, third] = text.split("\n")
  assert.deepStrictEqual(
    [first, second, third, next],
    [
      `game0 since 2026-08-17 05:30 UTC: ${what}; and 2 more reasons`,
      `game1 since 2026-08-17 05:30 UTC: ${what}`,
      `game2 since 2026-08-17 05:30 UTC: ${what}`,
      "Read all reasons: cardlake doctor"
    ]
  )
  assert.include(
    shortenHeld([many, held("game1", what), held("game2", what)], false)[0] ?? "",
    "the product was renamed"
  )
})
