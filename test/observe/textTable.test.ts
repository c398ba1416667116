import { assert, it } from "@effect/vitest"
import { displayWidth } from "effect/cli/CliOutput"
import { amountOf } from "../../src/diff/amountOf.ts"
import { textTable } from "../../src/observe/textTable.ts"

it("a table stays aligned, one line per row, whatever is in its cells", () => {
  const names = ["na\u001b[31mme", "price"]
  const cells = ["\u001b[2J", "a\r\nb", "\u202eabc", "\u0301", "白龍", "\u009b2Jx", "\u200b", "x".repeat(100_000)]
  const lines = textTable(
    names,
    cells.map((cell, index) => [cell, String(index)])
  ).split("\n")
  assert.strictEqual(lines.length, 2 + cells.length)
  assert.deepStrictEqual([...new Set(lines.map(displayWidth))], [500 + 2 + 5])
  assert.notMatch(lines.join(""), /[\p{Cc}\p{Cf}]/u)
})

it("an amount of one is not in the plural", () => {
  const amounts = [amountOf(0, "row"), amountOf(1, "row"), amountOf(2000, "row"), amountOf(1, "currency", "currencies")]
  assert.deepStrictEqual(amounts, ["0 rows", "1 row", "2,000 rows", "1 currency"])
})
