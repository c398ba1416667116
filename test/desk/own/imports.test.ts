import { suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { Home } from "../../../src/store/home/Home.ts"
import { restoreCollection, removeCollection } from "../../../src/desk/own/changeOwn.ts"
import { askConsole } from "../../../src/desk/explorer/console/askConsole.ts"
import { ownSql, readOwn } from "../../../src/desk/own/Own.ts"
import { cardsOf, faultOf, imported, ownRows, Shelf } from "./Shelf.ts"

const two = "product_id,finish,quantity\n1,Foil,2\n3,,1\n"
const other = "product_id,finish,quantity\n9,,5\n"

suite(Shelf.layer, "a collection", (it) => {
  it("is named after its file, has what its last import says, and gets back what it had before", function* () {
    yield* imported("binder", two)
    const { name, replaced } = yield* imported("binder", other)
    assert.deepStrictEqual([name, replaced.map(({ cards }) => cards)], ["binder", [3]])
    assert.deepStrictEqual(yield* cardsOf("binder"), ["9 | Foil | 5"])
    yield* restoreCollection("binder")
    assert.deepStrictEqual(yield* cardsOf("binder"), ["1 | Foil | 2", "3 | Standard | 1"])
    yield* restoreCollection("binder")
    assert.deepStrictEqual(yield* cardsOf("binder"), ["9 | Foil | 5"])
  })

  it("takes a further file with --add, but no file twice", function* () {
    yield* imported("more", two)
    yield* imported("more2", other, { add: true, name: "more" })
    const again = yield* faultOf(imported("more3", other, { add: true, name: "more" }))
    assert.match(again, /more3\.csv was added to more at .* Nothing was changed/)
    assert.deepStrictEqual(yield* cardsOf("more"), ["1 | Foil | 2", "3 | Standard | 1", "9 | Foil | 5"])
  })

  it.full("imported twice is there once", function* () {
    yield* imported("twice", two)
    yield* imported("twice", two)
    assert.deepStrictEqual(yield* cardsOf("twice"), ["1 | Foil | 2", "3 | Standard | 1"])
  })

  it("is removed with its files; the others stay", function* () {
    yield* imported("kept", two)
    yield* imported("gone", "product_id,quantity\n14,77\n")
    yield* removeCollection("gone")
    const { folders, names } = yield* Effect.gen(function* () {
      const { own } = yield* Home
      const { collections } = yield* readOwn
      return { names: collections.map(({ name }) => name), folders: readdirSync(join(own, "imports")) }
    })
    assert.include(names, "kept")
    assert.notInclude(names, "gone")
    const named = yield* readOwn
    const ids = named.collections.flatMap(({ before, imports }) => [...imports, ...before].map(({ id }): string => id))
    assert.deepStrictEqual(folders.toSorted(), [...new Set(ids)].toSorted())
    assert.match(yield* faultOf(removeCollection("gone")), /There is no collection gone\. Collections: /)
  })

  it.full("leaves folders alone that are no run's, whatever they are called", function* () {
    const { own } = yield* Home
    const theirs = ["...part", "notes.part"].map((name) => join(own, "imports", name))
    for (const folder of theirs) mkdirSync(folder, { recursive: true })
    writeFileSync(join(own, "notes.txt"), "mine")
    yield* imported("after", two)
    assert.isTrue([...theirs, join(own, "notes.txt")].every((path) => existsSync(path)))
    for (const path of [...theirs, join(own, "notes.txt")]) rmSync(path, { recursive: true })
  })

  it("is nobody else's to read, even where own is a link into a folder of all", function* () {
    const { own } = yield* Home
    const [shared, aside] = [`${own}-shared`, `${own}-aside`]
    if (existsSync(own)) renameSync(own, aside)
    mkdirSync(shared, { mode: 0o755 })
    symlinkSync(shared, own)
    yield* imported("private", two)
    const open = readdirSync(shared).filter((name) => (statSync(join(shared, name)).mode & 0o077) !== 0)
    rmSync(own)
    rmSync(shared, { recursive: true })
    if (existsSync(aside)) renameSync(aside, own)
    assert.deepStrictEqual(open, [])
  })

  it("keeps the file as it was, and says in DuckDB's words how to open it", function* () {
    const { id } = yield* imported("original", two)
    const { own } = yield* Home
    assert.strictEqual(readFileSync(join(own, "imports", id, "file"), "utf8"), two)
    assert.isTrue(existsSync(join(own, "own.sql")))
    assert.include(readFileSync(join(own, "own.sql"), "utf8"), join(own, "imports", id, "cards.parquet"))
  })

  it("is asked in the pages' console as in a query, and nothing else of its folder is", function* () {
    yield* imported("asked", two)
    const { lake, own } = yield* Effect.gen(function* () {
      return { lake: (yield* Home).lake, own: yield* ownSql }
    })
    const sql = "select product_id, cards from collection_cards where collection = 'asked' order by all"
    const { rows } = yield* askConsole({ lake, own, sql })
    assert.deepStrictEqual(rows, [
      ["1", "2"],
      ["3", "1"]
    ])
    const refused = yield* faultOf(askConsole({ lake, own, sql: "from read_text('/etc/hostname')" }))
    assert.match(refused, /disabled|cannot|only/i)
  })

  it("says how many rows have no currency of what was paid, and no such finish", function* () {
    const made = yield* imported("doubts", 'product_id,finish,paid,currency\n1,Gold,,\n1,Foil,"0,125",\n1,Foil,2,EUR\n')
    assert.deepInclude(made, { paidInUnknown: 1, finishUnknown: 1 })
    const paid = yield* ownRows("select paid from collection_cards where collection = 'doubts' order by row")
    assert.deepStrictEqual(paid, ["null", "0.1250", "2.0000"])
  })

  it.full("takes words in another order only where nothing has them as they are", function* () {
    yield* imported(
      "order",
      'Reg Qty,Foil Qty,Name,Set\n1,0,Crow Storm,Marsh 71\n1,0,"Crow, Storm",Marsh 71\n1,0,Hound Wicker,Fen of Reeds\n'
    )
    const found = yield* ownRows(
      "select product_id, verdict from collection_cards where collection = 'order' order by row"
    )
    assert.deepStrictEqual(found, ["16 | matched by name", "16 | matched by name", "1 | matched by name"])
  })

  it.full("is still on the disk where its document was lost, whatever is imported then", function* () {
    const { id } = yield* imported("lost", two)
    const { own } = yield* Home
    const document = join(own, "collections.json")
    const text = readFileSync(document, "utf8")
    rmSync(document)
    yield* imported("afterwards", other)
    assert.isTrue(existsSync(join(own, "imports", id, "file")))
    writeFileSync(document, text)
  })

  it("counts in two columns: as the file does, and single cards", function* () {
    const header = "idProduct;groupCount;idLanguage;condition;isFoil;isPlayset"
    const made = yield* imported("playsets", `${header}\n1001;2;1;NM;0;1\n1002;3;1;NM;0;0\n`)
    assert.deepInclude(made, { rows: 2, quantity: 5, cards: 11 })
  })
})
