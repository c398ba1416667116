import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { brokenRecords, type BrokenRecord } from "./brokenRecords.ts"
import { expectedPages, sentAs, wrongRefusals, wrongRows } from "./brokenVerdicts.ts"
import { withInner } from "./fieldTable.ts"
import { pagesApart } from "../reading/pagesApart.ts"
import { type RecordKind, recordTables } from "./recordTables.ts"
import { sendRecords } from "./sendRecords.ts"
import { live } from "../../support/suite.ts"

const tenMegabytes = 10_000_000

/** Huge records of one game; more do not fit into the loader's memory. */
const maxHuge = 20

/** The huge records spread over games, each record on a page of its own. */
const games = (kind: RecordKind, huge: ReadonlyArray<BrokenRecord>) => {
  const list = kind === "expansion" ? "expansions" : "products"
  return Array.from({ length: Math.ceil(huge.length / maxHuge) }, (_, game) => {
    const ofGame = huge.slice(game * maxHuge, (game + 1) * maxHuge)
    return sentAs(
      list,
      pagesApart(
        list,
        ofGame.map((record) => [record])
      )
    )
  })
}

describe("a text of ten megabytes", () => {
  for (const kind of ["card", "sealed", "expansion"] satisfies ReadonlyArray<RecordKind>) {
    live(`is stored letter by letter or refused with its path, in every text field: ${kind}`, () => {
      const texts = withInner(recordTables[kind]).filter(({ sample }) => sample.startsWith('"'))
      const names = new Set(["record", ...texts.map(({ path }) => path)].map((path) => `${kind} ${path} hugeText`))
      const huge = brokenRecords(kind, tenMegabytes).filter(({ name }) => names.has(name))
      assert.strictEqual(huge.length, names.size)
      return Effect.forEach(
        games(kind, huge),
        Effect.fnUntraced(function* (sent) {
          const reading = yield* sendRecords({ products: [], expansions: [], [sent.list]: sent.texts })
          const pages = reading.extraction.pages.filter((page) => page.kind === sent.list)
          assert.deepStrictEqual(
            pages.map(({ file, records, refused }) => ({ file, records, refused })),
            expectedPages(sent)
          )
          assert.deepStrictEqual(wrongRefusals(sent, reading), [])
          assert.deepStrictEqual(wrongRows(sent, reading), [])
        })
      )
    })
  }
})
