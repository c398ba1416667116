import { suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Home } from "../../../src/store/home/Home.ts"
import { ownSql, ownSqlIfWhole } from "../../../src/desk/own/Own.ts"
import { assertFault, cardlake } from "../../pipelines/cli.ts"
import { cardsOf, faultOf, imported, Shelf } from "./Shelf.ts"
import { tried } from "../../tried.ts"

const two = "product_id,finish,quantity\n1,Foil,2\n3,,1\n"

suite(Shelf.layer, "a file", (it) => {
  const header = "product_id,name,quantity,paid"
  const accepted: ReadonlyArray<readonly [what: string, content: string | Buffer]> = [
    ["in UTF-8 with a mark", `\uFEFF${header}\n3,Æther Vial,1,\n`],
    ["in UTF-16", Buffer.from(`\uFEFF${header}\r\n3,Æther Vial,1,\r\n`, "utf16le")],
    ["in the code page of western Windows", Buffer.from(`${header}\n3,Æther Vial,1,\n`, "latin1")],
    ["with a line that names its separator", `sep=;\n${header.replaceAll(",", ";")}\n3;Æther Vial;1;\n`],
    ["with tabs", `${header.replaceAll(",", "\t")}\n3\tÆther Vial\t1\t\n`],
    ["with headers in capitals, in another order", "QUANTITY,NAME,PRODUCT_ID\n1,Æther Vial,3\n"],
    ["with a line inside a cell", `${header}\n3,"Æther\nVial",1,\n`],
    ["with empty lines", `\n${header}\n\n3,Æther Vial,1,\n\n`],
    ["whose last cells are left out", `${header}\n3,Æther Vial,1\n`]
  ]
  for (const [what, content] of tried(accepted, (_, index) => index < 2)) {
    it(`${what} is read`, function* () {
      yield* imported("accepted", content)
      assert.deepStrictEqual(yield* cardsOf("accepted"), ["3 | Standard | 1"])
    })
  }

  const refused: ReadonlyArray<readonly [what: string, content: string | Buffer, reason: RegExp]> = [
    ["that is empty", "", /cannot be imported: it is empty/],
    ["of empty lines", "\n\r\n\n", /cannot be imported: it is empty/],
    ["with a header alone", `${header}\n`, /cannot be imported: it has a header, and no row/],
    ["of no known tool", "a,b,c\n1,2,3\n", /its headers match no known tool \(Cardlake, ManaBox, .*a,b,c/],
    ["that is no text", Buffer.from([80, 0, 0, 0, 0, 75]), /it is not a text\. Export your/],
    [
      "of MTGO's own format",
      '<?xml version="1.0"?>\n<Deck><Cards Quantity="4" Name="Glimmer" /></Deck>\n',
      /also saves as CSV or/
    ],
    ["that is a workbook", Buffer.from([80, 75, 3, 4, 0, 0, 0]), /it is a workbook.* save it as CSV UTF-8/],
    [
      "with more cells than headers",
      `${header}\n3,Vial,1,,,,,,9\n`,
      /line 2 has text in column 9, and the header has 4/
    ],
    [
      "with text after a quoted cell",
      `${header}\n3,"Vial" x,1,\n`,
      /the quoted cell at line 2, column 2 is followed by/
    ]
  ]
  it(`${refused.map(([what]) => what).join(", ")} is refused, and nothing is changed`, function* () {
    yield* imported("before", two)
    for (const [what, content, reason] of refused) {
      const message = yield* faultOf(imported("refused", content, { name: "before" }))
      assert.match(message, reason, what)
      assert.deepStrictEqual(yield* cardsOf("before"), ["1 | Foil | 2", "3 | Standard | 1"], what)
    }
  })

  it("whose import was killed leaves nothing once another is imported", function* () {
    const { own } = yield* Home
    const litter = join(own, "imports", "20260501T000000000Z-dead.part")
    mkdirSync(litter, { recursive: true })
    writeFileSync(join(litter, "cards.parquet"), "half")
    yield* imported("after a kill", two)
    assert.isFalse(existsSync(litter))
    assert.deepStrictEqual(
      readdirSync(join(own, "imports")).filter((name) => name.endsWith(".part")),
      []
    )
  })

  it("whose import was killed before a collection named it leaves nothing; the folders of a lost document stay", function* () {
    const { id } = yield* imported("whole", two)
    const { own } = yield* Home
    const [killed, lost] = ["20260501T000000000Z-dead", "20260501T000000001Z-1057"].map((name) =>
      join(own, "imports", name)
    )
    for (const folder of [killed ?? "", lost ?? ""]) cpSync(join(own, "imports", id), folder, { recursive: true })
    mkdirSync(`${killed}.part`)
    // A mark that was left beside an import that counts.
    mkdirSync(join(own, "imports", `${id}.part`))
    yield* imported("another", two)
    assert.isFalse(existsSync(killed ?? ""))
    assert.isTrue(existsSync(join(lost ?? "", "cards.parquet")))
    assert.deepStrictEqual(yield* cardsOf("whole"), ["1 | Foil | 2", "3 | Standard | 1"])
    assert.deepStrictEqual(
      readdirSync(join(own, "imports")).filter((name) => name.endsWith(".part")),
      []
    )
    rmSync(lost ?? "", { recursive: true })
  })

  it.full(
    "is counted by doctor; what is damaged, a watchlist too, it names with what brings it back, and report goes on",
    function* () {
      const { id } = yield* imported("examined", two)
      const { own, root } = yield* Home
      const run = (...args: ReadonlyArray<string>) =>
        Effect.promise(() => cardlake([...args, "--home", root], { env: {} }))
      const found = Effect.map(run("doctor", "--json"), ({ stdout }) =>
        (JSON.parse(stdout) as ReadonlyArray<{ name: string; ok: boolean; says: string }>).find(
          ({ name }) => name === "own"
        )
      )
      assert.match((yield* found)?.says ?? "", /^\d+ collections? of your own cards$/)
      const cards = join(own, "imports", id, "cards.parquet")
      const whole = readFileSync(cards)
      writeFileSync(cards, "")
      const cut = yield* found
      assert.isFalse(cut?.ok)
      assert.match(cut?.says ?? "", /: cardlake collection import .*file' --name 'examined'/)
      writeFileSync(cards, whole)
      const watchlist = join(own, "watchlist.json")
      assert.strictEqual((yield* run("watch", "add", "1", "--below", "9")).code, 0)
      assert.match((yield* found)?.says ?? "", /^\d+ collections? of your own cards, 1 watched price$/)
      writeFileSync(watchlist, readFileSync(watchlist, "utf8").replace('"9"', '"8"'))
      const reason = `${watchlist} is damaged: its content is not Cardlake's. The lake and your cards are not affected. Restore the file from a backup, or move it away`
      assert.include((yield* found)?.says, reason)
      assertFault(
        yield* run("watch", "list"),
        1,
        /watchlist\.json is damaged: .*: cardlake watch add .*PRODUCT --below 20$/
      )
      const report = yield* run("report")
      assert.strictEqual(report.code, 0, report.stderr)
      assert.match(report.stdout, /is damaged: its content is not Cardlake's/)
      assert.include(report.stdout, "examined")
      rmSync(watchlist)
    }
  )

  it("whose stored cards were cut off is named with what brings it back, and no other question is stopped by it", function* () {
    const { id } = yield* imported("cut", two)
    const { own } = yield* Home
    const cards = join(own, "imports", id, "cards.parquet")
    const whole = readFileSync(cards)
    writeFileSync(cards, whole.subarray(0, 100))
    const message = yield* faultOf(ownSql)
    const file = join(own, "imports", id, "file")
    assert.include(message, `${cards} is damaged: it is missing or truncated.`)
    assert.include(message, `Import the file again: cardlake collection import '${file}' --name 'cut'`)
    assert.isNull(yield* ownSqlIfWhole)
    yield* imported("again", readFileSync(file), { name: "cut" })
    assert.deepStrictEqual(yield* cardsOf("cut"), ["1 | Foil | 2", "3 | Standard | 1"])
  })

  it("that is a folder, or cannot be read, is refused with the reason", function* () {
    const { folder } = yield* Shelf
    const { importCollection } = yield* Effect.promise(() => import("../../../src/desk/own/importCollection.ts"))
    const options = { file: folder, name: null, add: false, game: null, currency: null }
    const message = yield* faultOf(importCollection(options))
    assert.include(message, "cannot be imported: it is a folder. Export your")
  })

  it("that is not there is refused", function* () {
    const { importCollection } = yield* Effect.promise(() => import("../../../src/desk/own/importCollection.ts"))
    const options = { file: "/nowhere/cards.csv", name: null, add: false, game: null, currency: null }
    const message = yield* faultOf(importCollection(options))
    assert.strictEqual(
      message,
      "/nowhere/cards.csv cannot be imported: it is not there. Export your collection as CSV from its tool, and import that"
    )
  })
})
