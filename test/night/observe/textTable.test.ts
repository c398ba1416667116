import { assert, it } from "@effect/vitest"
import { displayWidth } from "effect/cli/CliOutput"
import { formatAmount } from "../../../src/store/diff/formatAmount.ts"
import { bytesText } from "../../../src/night/observe/figureTexts.ts"
import { textTable } from "../../../src/night/observe/textTable.ts"

const odd = ["\u001b[2J", "a\r\nb", "\u202eabc", "\u0301", "白龍", "\u009b2Jx", "\u200b", "x".repeat(1000)]

for (const [where, room, width] of [
  ["in a pipe, with every text whole", null, 1000 + 2 + 5],
  ["on a terminal of 60 columns", 60, 60]
] as const) {
  it(`a table stays aligned, one line per row, whatever is in its cells, ${where}`, () => {
    const names = ["na\u001b[31mme", "price"]
    const rows = odd.map((cell, index) => [cell, String(index)])
    const lines = textTable(names, rows, { room }).split("\n")
    assert.strictEqual(lines.length, 2 + odd.length)
    assert.deepStrictEqual([...new Set(lines.map(displayWidth))], [width])
    assert.notMatch(lines.join(""), /[\p{Cc}\p{Cf}]/u)
  })
}

const cards = [
  ["101", "Lightning Bolt of the Seventh Storm", "published", "12.50"],
  ["102", "Opt", "held", "0.1"]
]
const heads = ["id", "name", "state", "price"]
const tableOf = (room: number, leaveOut: ReadonlyArray<string> = []) =>
  textTable(heads, cards, { room, leaveOut }).split("\n")

it("a text is shortened after a whole word", () => {
  assert.deepStrictEqual(tableOf(44), [
    " id  name                   state      price",
    "───  ─────────────────────  ─────────  ─────",
    "101  Lightning Bolt of …    published  12.50",
    "102  Opt                    held         0.1"
  ])
})

it("a whole column is left out before a text is too short to read, from the right, and it says which", () => {
  assert.deepStrictEqual(tableOf(36), [
    " id  name                  state",
    "───  ────────────────────  ─────────",
    "101  Lightning Bolt of …   published",
    "102  Opt                   held",
    "Hidden columns: price (widen the",
    "terminal)"
  ])
})

it("the columns that matter least are left out first", () => {
  assert.strictEqual(tableOf(36, ["state"])[0], " id  name                      price")
})

it("no id is cut, and an address is", () => {
  const [, , row] = textTable(
    ["run", "url"],
    [["20260820T053000000Z-3f9a", "https://images.example/1/2/3/4/5/6.png"]],
    { room: 50 }
  ).split("\n")
  assert.strictEqual(row, "20260820T053000000Z-3f9a  https://images.example/…")
})

it("a Japanese name takes two columns a letter, and is cut between letters", () => {
  const [, , row = ""] = textTable(["name", "price"], [["青眼の白龍が空を飛ぶ夜", "1.5"]], { room: 27 }).split("\n")
  assert.strictEqual(row, "青眼の白龍が空を飛 …    1.5")
  assert.strictEqual(displayWidth(row), 27)
})

it("a combining mark takes no column, an emoji takes two", () => {
  const lines = textTable(
    ["name", "n"],
    [
      ["Cafe\u0301", "1"],
      ["🐉", "2"],
      ["abcdef", "3"]
    ],
    { room: 80 }
  ).split("\n")
  assert.deepStrictEqual(lines.slice(2), ["Cafe\u0301    1", "🐉      2", "abcdef  3"])
})

it("a table that wraps goes on below, and no word is lost", () => {
  const lines = textTable(["column", "meaning"], [["old", "the market value at the reading before"]], {
    room: 30,
    wraps: true
  }).split("\n")
  assert.deepStrictEqual(lines.slice(2), ["old     the market value at", "        the reading before"])
})

it("an amount of one is not in the plural", () => {
  const amounts = [
    formatAmount(0, "row"),
    formatAmount(1, "row"),
    formatAmount(2000, "row"),
    formatAmount(1, "currency", "currencies")
  ]
  assert.deepStrictEqual(amounts, ["0 rows", "1 row", "2,000 rows", "1 currency"])
})

it("a size has one unit, and a decimal place from a thousand bytes on", () => {
  const sizes = [0, 1, 999, 1000, 999_949, 999_950, 10_600_000, 60_740_000_000, 1e12, -4200]
  assert.deepStrictEqual(sizes.map(bytesText), [
    "0 bytes",
    "1 byte",
    "999 bytes",
    "1.0 kB",
    "999.9 kB",
    "1.0 MB",
    "10.6 MB",
    "60.7 GB",
    "1.0 TB",
    "-4.2 kB"
  ])
})
