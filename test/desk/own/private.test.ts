import { suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import { Home, readCurrent } from "../../../src/store/home/Home.ts"
import { lockHome } from "../../../src/store/home/lock/lockHome.ts"
import { publish } from "../../../src/store/lake/publish/publish.ts"
import { exportTo, temporaryFolder } from "../../warehouse/Dropped.ts"
import { idOf } from "../../idOf.ts"
import { lakeRows } from "../../store/lake/tableRows.ts"
import { imported, Shelf } from "./Shelf.ts"

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
    const told = rows.map((row) => String(Object.values(row)[0]))
    assert.deepStrictEqual(
      told.filter((name) => /^(collection|own|my)_/.test(name)),
      []
    )
    assert.isFalse(readFileSync(lake).includes("secret binder"))
  })
})
