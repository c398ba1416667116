import { shared, suite } from "../support/suite.ts"
import { assert } from "@effect/vitest"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { queryTable, writeQuery } from "../../pipelines/lake/runQuery.ts"
import { lakeServices } from "../../pipelines/settings/services.ts"
import { availableBytes } from "../../src/feed/rows/memoryBound.ts"
import { Home } from "../../src/store/home/Home.ts"
import { emptyHome, publishNights } from "../store/lake/handMadeNights.ts"
import { card } from "../store/lake/invented.ts"

/** A home of two nights, with private files below `files`. */
const Asked = shared("queryFiles/Asked", function* () {
  const { root } = yield* Home
  const priced = (low: number) => card(1, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low } } } })
  yield* publishNights([{ products: [priced(1.5)] }, { products: [priced(2.25)] }])
  const files = join(root, "files")
  mkdirSync(files)
  writeFileSync(join(files, "secret.csv"), "word\nhunter2\n")
  writeFileSync(join(files, "schema.sql"), "hunter2")
  return { home: root, files }
})

/** Runs a query as a command of its own, so that what it locks is locked for it alone. */
const runHere = <A, E>(query: Effect.Effect<A, E, Layer.Success<ReturnType<typeof lakeServices>>>) =>
  Effect.gen(function* () {
    const { home } = yield* Asked
    const services = yield* Layer.build(Layer.fresh(lakeServices({ CARDLAKE_HOME: home })))
    return yield* Effect.provideContext(query, services)
  }).pipe(Effect.scoped)

const sentenceOf = <A, E extends { readonly message: string }>(
  query: Effect.Effect<A, E, Layer.Success<ReturnType<typeof lakeServices>>>
) => Effect.map(Effect.flip(runHere(query)), ({ message }) => message)

const locked = { allowFiles: false }
const allowed = { allowFiles: true }

/** What reads or writes a file, or opens the way to one. */
const reaching = [
  "from read_csv('FILES/secret.csv')",
  "from read_text('FILES/secret.csv')",
  "from glob('FILES/*')",
  "from 'FILES/secret.csv'",
  "select (select content from read_text('FILES/secret.csv'))",
  "from '/etc/passwd'",
  "copy (from products) to 'FILES/stolen.csv'",
  "export database 'FILES/all'",
  "import database 'FILES'",
  "attach 'FILES/other.duckdb' as other",
  "install httpfs",
  "load httpfs",
  "set enable_external_access = true",
  "pragma enable_profiling",
  "call enable_logging(storage := 'file', storage_path := 'FILES/log')",
  "from query('copy (from products) to ''FILES/stolen.csv''')",
  "select getenv('HOME')"
]

suite(Layer.provideMerge(Layer.provide(Asked.layer, emptyHome), NodeServices.layer), "query", (it) => {
  for (const sql of reaching) {
    it(`reaches no file: ${sql}`, function* () {
      const { files } = yield* Asked
      const text = sql.replaceAll("FILES", files)
      const says = yield* sentenceOf(queryTable(text, locked))
      assert.notInclude(says, "hunter2")
      if (!/getenv|passwd/.test(sql)) assert.include(says, "--allow-files")
      assert.deepStrictEqual(readdirSync(files).toSorted(), ["schema.sql", "secret.csv"])
    })
  }

  it("reads the Parquet of the home's nights", function* () {
    const shown = yield* runHere(queryTable("select low from source_price_history order by seen_at", locked))
    assert.match(shown, /1\.5000\n2\.2500\n2 rows$/)
  })

  it("reads the same through another path to the home", function* () {
    const { home } = yield* Asked
    symlinkSync(home, join(home, "linked"))
    const services = yield* Layer.build(Layer.fresh(lakeServices({ CARDLAKE_HOME: join(home, "linked") })))
    const query = queryTable("select low from source_price_history", locked)
    assert.match(yield* Effect.provideContext(query, services), /\n2 rows$/)
  })

  it("writes the file it is told to, new or in the place of an old one", function* () {
    const { home } = yield* Asked
    const file = join(home, "out.csv")
    const near = relative(process.cwd(), file)
    assert.strictEqual(yield* runHere(writeQuery("select 1 as a", { file, format: "csv" }, locked)), 1)
    assert.strictEqual(yield* runHere(writeQuery("select 2 as a", { file: near, format: "csv" }, locked)), 1)
    assert.strictEqual(readFileSync(file, "utf8"), "a\n2\n")
  })

  it.full("writes no cell that a spreadsheet would run, and leaves numbers and order as they are", function* () {
    const { home } = yield* Asked
    const file = join(home, "cells.csv")
    const cells = `select '=1+1' as "=a,", -5.25::decimal(9, 4) as b, '-5.25' as c, '-5+A1' as d, '@x' as e, e'\\tx' as f,
          e'\\r=x' as g, '＝x' as h, '+49 170' as i, 'a=b' as j, null as k, '' as l`
    yield* runHere(writeQuery(cells, { file, format: "spreadsheet" }, locked))
    assert.strictEqual(
      readFileSync(file, "utf8"),
      `\ufeff"'=a,",b,c,d,e,f,g,h,i,j,k,l\n'=1+1,-5.2500,-5.25,'-5+A1,'@x,'\tx,"'\r=x",'＝x,'+49 170,a=b,,""\n`
    )
    yield* runHere(writeQuery(cells, { file, format: "csv" }, locked))
    assert.include(readFileSync(file, "utf8"), `\n=1+1,-5.2500,-5.25,-5+A1,@x,\tx,"\r=x",＝x,+49 170,a=b,,""\n`)
    const many = "from range(300_000) t(i) order by hash(i)"
    yield* runHere(writeQuery(many, { file, format: "csv" }, locked))
    const rows = readFileSync(file, "utf8")
    yield* runHere(writeQuery(many, { file, format: "spreadsheet" }, locked))
    assert.isTrue(`\ufeff${rows}` === readFileSync(file, "utf8"))
    yield* runHere(writeQuery("select 'ż' as a where false", { file, format: "spreadsheet" }, locked))
    assert.deepStrictEqual(readFileSync(file), Buffer.from([0xef, 0xbb, 0xbf, ...Buffer.from("a\n")]))
  })

  it("may use half of the memory, however much that is", function* () {
    const printed = yield* runHere(queryTable("select current_setting('memory_limit') as bound", locked))
    const [, amount, unit = ""] = /([\d.]+) ([MGT])iB/.exec(printed) ?? []
    const bytes = Number(amount) * 2 ** (20 + 10 * "MGT".indexOf(unit))
    assert.closeTo(bytes / availableBytes, 1 / 2, 0.01)
  })

  it("reads and writes files where it is allowed to", function* () {
    const { files, home } = yield* Asked
    assert.include(yield* runHere(queryTable(`from '${files}/secret.csv'`, allowed)), "hunter2")
    yield* runHere(queryTable(`copy (select 1) to '${home}/copied.csv'`, allowed))
    assert.isTrue(existsSync(join(home, "copied.csv")))
  })
})
