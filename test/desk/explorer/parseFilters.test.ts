import { assert, it } from "@effect/vitest"
import { parseFilters } from "../../../src/desk/explorer/search/searchPage.ts"

const cases: ReadonlyArray<
  readonly [text: string, filters: ReadonlyArray<string>, words: string, fault: string | null]
> = [
  ["black lotus", [], "black lotus", null],
  ["set:mh2 price>20 drake", ["set:mh2", "price>20"], "drake", null],
  ['drake set:"dunes of orrin" foil', ['set:"dunes of orrin"'], "drake  foil", null],
  ["price<=1,250.50", ["price<=1,250.50"], "", null],
  ["ember price>abc", ["price>abc"], "ember", "price>abc is not a valid filter. Example: price>20"],
  ["price>", ["price>"], "", "price> is not a valid filter. Example: price>20"],
  ["Kind: sealed", ["Kind:"], "sealed", "Kind: is not a valid filter. Example: kind:sealed"],
  ["upset:mh2", [], "upset:mh2", null]
]

for (const [text, filters, words, fault] of cases) {
  it(`${text} has ${filters.length} filters${fault === null ? "" : ", one of them none"}`, () => {
    assert.deepStrictEqual(parseFilters(text), { filters, words, fault })
  })
}
