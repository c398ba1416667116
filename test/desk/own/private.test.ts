import { live, suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { Home, readCurrent } from "../../../src/store/home/Home.ts"
import { lockHome } from "../../../src/store/home/lock/lockHome.ts"
import { publish } from "../../../src/store/lake/publish/publish.ts"
import { exportTo, temporaryFolder } from "../../warehouse/FourNights.ts"
import { idOf } from "../../store/lake/invented.ts"
import { lakeRows } from "../../store/lake/tableRows.ts"
import { Shelf, imported, ownRows } from "./Shelf.ts"
import { readOwn } from "../../../src/desk/own/Own.ts"
import { hostileCases, withSum } from "../../safety/hostileTexts.ts"
import { execFileSync } from "node:child_process"
import { removeCollection, restoreCollection } from "../../../src/desk/own/changeOwn.ts"
import { readCollectionFile } from "../../../src/desk/own/readFile.ts"

/** Every file below a folder, with what is in it; not of tables whose files name the moment in which they were written. */
const contents = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => `${relative(folder, path)} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`)
    .toSorted()

suite(Shelf.layer, "a collection leaves nothing", (it) => {
  it("in a drop: it is the same to the byte", function* () {
    const dropped = Effect.flatMap(temporaryFolder, (to) => Effect.as(exportTo(to), to))
    const before = yield* dropped
    yield* imported("secret binder", "product_id,quantity,paid\n1,77,1234.56\n")
    const after = yield* dropped
    assert.isAbove(contents(before).length, 20)
    assert.deepStrictEqual(contents(after), contents(before))
  })

  it("in the lake, even if that is built anew", function* () {
    yield* imported("secret binder", "product_id,quantity,paid\n1,77,1234.56\n")
    const names =
      "select table_name from duckdb_tables() union all select view_name from duckdb_views() union all select function_name from duckdb_functions() where database_name = 'lake'"
    const { lake, rows } = yield* Effect.gen(function* () {
      yield* publish(idOf("again"), yield* readCurrent, yield* lockHome("nightly", idOf("again")))
      return { rows: yield* lakeRows(names), lake: (yield* Home).lake }
    })
    assert.isAbove(rows.length, 50)
    const tables = rows.map((row) => String(Object.values(row)[0]))
    assert.deepStrictEqual(
      tables.filter((name) => /^(collection|own|my)_/.test(name)),
      []
    )
    assert.isFalse(readFileSync(lake).includes("secret binder"))
  })
})

/** True if a run ends with a defect, which would be a stack trace. */
const dies = <A, E, R>(run: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(run), (ended) => Exit.isFailure(ended) && Cause.hasDies(ended.cause))

suite(Shelf.layer, "a collections.json that somebody changed", (it) => {
  it("leads no change outside of own, and is damaged where it names no import", function* () {
    const own = (yield* Home).own
    yield* imported("binder", "product_id,finish,quantity\n1,Foil,2\n")
    yield* imported("binder", "product_id,finish,quantity\n9,,5\n")
    const file = join(own, "collections.json")
    const { sha256: _, ...document } = JSON.parse(readFileSync(file, "utf8")) as { readonly sha256: string }
    const outside = join(dirname(own), "escaped")
    mkdirSync(outside)
    writeFileSync(join(outside, "kept"), "mine")
    const around = () =>
      readdirSync(dirname(own), { recursive: true }).filter((name) => !String(name).startsWith("own"))
    const before = around()
    for (const { document: changed, said } of hostileCases(document, outside, 12)) {
      writeFileSync(file, withSum(changed as object))
      const runs = [
        dies(restoreCollection("binder")),
        dies(ownRows("from collection_cards")),
        dies(removeCollection("binder")),
        dies(readOwn)
      ] as const
      for (const died of yield* Effect.all(runs)) assert.isFalse(died, said)
      assert.deepStrictEqual(around(), before, said)
    }
  })
})

const header = "product_id,name,quantity\n"

const strange: ReadonlyArray<readonly [name: string, text: string | null, says: RegExp]> = [
  ["pipe.csv", null, /no file, but a pipe or a device/],
  ["/dev/zero", null, /no file, but a pipe or a device/],
  ["cell.csv", `product_id,"${"x".repeat(20_000_000)}"\n1,2\n`, /the header, has more than 65536 letters/],
  ["columns.csv", `product_id${",x".repeat(1_000_000)}\n1\n`, /the header, has more than 65536 letters/],
  ["quote.csv", `${header}1,a,1\n2,"b,1\n3,c,1\n`, /the quote that opens at line 3, column 2 is never closed/],
  [
    "quotes.csv",
    `${header}1,"a ""b""",1\n2,"c\nd",1\n3,"""e,1\n`,
    /the quote that opens at line 5, column 2 is never closed/
  ],
  ["blank.csv", `${header}1, "a", 1\n2, "b, 1\n3, c, 1\n`, /the quote that opens at line 3, column 2 is never closed/],
  ["start.csv", `${header} "1,a,1\n2,b,1\n`, /the quote that opens at line 2, column 1 is never closed/]
]

for (const [name, text, says] of strange)
  live(`${name} is refused at once, with the reason`, function* () {
    const path = name.startsWith("/") ? name : join(yield* temporaryFolder, name)
    if (text !== null) writeFileSync(path, text)
    else if (path !== name) execFileSync("mkfifo", [path])
    assert.match((yield* Effect.flip(readCollectionFile(path))).message, says)
  })

live("a quote inside of a cell is a letter, and quoted cells may have several lines", function* () {
  const path = join(yield* temporaryFolder, "whole.csv")
  writeFileSync(path, `${header}1,5" card,1\n2,"two\nlines",1\n`)
  const { rows } = yield* readCollectionFile(path)
  assert.deepStrictEqual(
    [...rows()],
    [
      { line: 2, cells: ["1", '5" card', "1"] },
      { line: 3, cells: ["2", "two\nlines", "1"] }
    ]
  )
})
