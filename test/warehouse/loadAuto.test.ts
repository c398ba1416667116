import { DuckDBInstance } from "@duckdb/node-api"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { cpSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { loadScript } from "../../src/warehouse/engines/loadScript.ts"
import { readLoaded } from "../../src/warehouse/engines/planLoad.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { gameId } from "../store/lake/invented.ts"
import { contractsIn, exportTo, filesOf, temporaryFolder, nightId, fourNights } from "./FourNights.ts"
import { eightExports } from "./eightExports.ts"
import { tried } from "../tried.ts"

const few = ["products", "source_prices"]
const changing = [...few, "readings", "fx_rates"]
const loadedTables = (drop: string) => [...contractsIn(drop).map(({ table }) => table), "cardlake_loaded"]
const runHalf = join(import.meta.dirname, "runHalf.ts")

/** A DuckDB as a warehouse, closed with the scope. */
const warehouseIn = (file: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const instance = await DuckDBInstance.create(file)
      const connection = await instance.connect()
      await connection.run("set TimeZone = 'UTC'")
      return { instance, connection }
    }),
    ({ connection, instance }) =>
      Effect.sync(() => {
        connection.closeSync()
        instance.closeSync()
      })
  ).pipe(
    Effect.map(({ connection }) => ({
      run: (script: string) => Effect.promise(() => connection.run(script)),
      loadedTo: (csv: string) =>
        Effect.promise(() => connection.run(`copy (from cardlake.cardlake_loaded) to '${csv}' (header)`)),
      all: (tables: ReadonlyArray<string>) =>
        Effect.forEach(tables, (table) =>
          Effect.promise(async () => {
            const rows = await connection.runAndReadAll(`from cardlake.${table} order by all`)
            return [table, rows.getRowsJson()] as const
          })
        )
    }))
  )

/** Tables of a warehouse and its memory, as a load from nothing makes them. */
const loadedFromNothing = Effect.fnUntraced(function* (drop: string) {
  const fresh = yield* warehouseIn(":memory:")
  yield* fresh.run(yield* loadScript(drop, "duckdb", null))
  return yield* fresh.all(loadedTables(drop))
}, Effect.scoped)

/** The script that loads what a warehouse does not have. */
const autoScript = Effect.fnUntraced(function* (drop: string, csv: string) {
  return yield* loadScript(drop, "duckdb", { since: null, until: null, loaded: yield* readLoaded(csv) })
})

/** The days that a script loads. */
const daysIn = (script: string) => new Set(script.match(/(?<=insert into cardlake\.cardlake_loaded[^;]*date ')[^']+/g))

fourNights("--since auto", (it) => {
  it.copy("makes of exports, killed halfway, what a load from nothing makes of the last", function* (folder) {
    const drop = join(folder, "it's a drop")
    const [database, csv] = ["warehouse.duckdb", "loaded.csv"].map((name) => join(folder, name)) as [string, string]
    writeFileSync(csv, "")
    for (const { days, run, what } of tried(eightExports(drop, changing), (_, index) => index < 4)) {
      yield* run
      const script = yield* autoScript(drop, csv)
      assert.strictEqual(daysIn(script).size, days, what)
      if (days > 0) {
        const killed = spawnSync(process.execPath, [runHalf, database], { input: script })
        assert.strictEqual(killed.signal, "SIGKILL", String(killed.stderr))
      }
      const loaded = yield* Effect.scoped(
        Effect.gen(function* () {
          const warehouse = yield* warehouseIn(database)
          yield* warehouse.run(script)
          yield* warehouse.loadedTo(csv)
          return yield* warehouse.all(loadedTables(drop))
        })
      )
      assert.deepStrictEqual(loaded, yield* loadedFromNothing(drop), what)
    }
  })

  it.copy.full(
    "without a transaction, killed after any statement, comes right even if the drop went back meanwhile",
    function* () {
      const [before, after, folder] = [yield* temporaryFolder, yield* temporaryFolder, yield* temporaryFolder]
      yield* exportTo(before, { tables: few })
      cpSync(before, after, { recursive: true })
      yield* runRollback({ gameId, wanted: nightId(2), why: null })
      yield* exportTo(after, { tables: few })
      const warehouse = yield* warehouseIn(":memory:")
      const csv = join(folder, "loaded.csv")
      const fromNothing = yield* loadedFromNothing(before)
      yield* warehouse.run(yield* loadScript(before, "duckdb", null))
      yield* warehouse.loadedTo(csv)
      const statements = (yield* autoScript(after, csv)).split(";\n\n")
      const changes = statements.slice(statements.indexOf("begin transaction") + 1, -1)
      // Three tables are emptied and remembered; only `nights` has rows of the days that were taken back.
      assert.strictEqual(changes.length, 1 + 3 + 3 + 1)
      for (const last of changes.keys()) {
        yield* warehouse.run(changes.slice(0, last + 1).join(";\n"))
        yield* warehouse.loadedTo(csv)
        yield* warehouse.run(yield* autoScript(before, csv))
        assert.deepStrictEqual(yield* warehouse.all(loadedTables(before)), fromNothing, changes[last])
      }
    }
  )

  it.home("takes the table as any warehouse writes it, and nothing else", function* () {
    const file = join(yield* temporaryFolder, "loaded.csv")
    const read = (text: string) =>
      Effect.andThen(
        Effect.sync(() => writeFileSync(file, text)),
        readLoaded(file)
      )
    const rows = [{ game: "emberfall", table: "products", dt: "2026-05-01", sha256: "9f" }]
    assert.deepStrictEqual(
      yield* read("game_id,snapshot_date,table_name,sha256\nemberfall,2026-05-01,products,9f\n"),
      rows
    )
    const quoted = `\ufeff"SHA256","TABLE_NAME","SNAPSHOT_DATE","GAME_ID","NOTE"\r\n"9f","products","2026-05-01 00:00:00","emberfall",""\r\n`
    assert.deepStrictEqual(yield* read(quoted), rows)
    for (const text of ["product_id\n7\n", "game_id,snapshot_date,table_name,sha256\na,1/5/2026,b,c\n", '"']) {
      assert.match(
        (yield* Effect.flip(read(text))).message,
        /loaded\.csv is not table cardlake_loaded as CSV .* Write it with: select/
      )
    }
    assert.match((yield* Effect.flip(readLoaded(`${file}x`))).message, /loaded\.csvx is not table .*ENOENT/)
  })

  it.copy("prints nothing for a drop that is damaged, and says how to repair it", function* () {
    const drop = yield* temporaryFolder
    yield* exportTo(drop, { tables: few })
    const refused = loadScript(drop, "duckdb", null).pipe(
      Effect.flip,
      Effect.map(({ message }) => message)
    )
    const [file = ""] = filesOf(drop, "products")
    writeFileSync(file, "rotten")
    yield* verifyDrop(drop)
    const next =
      /so no script was printed\. Check the export with: cardlake export --to .* --verify; then repair it with: cardlake export --to/
    assert.match(yield* refused, /products\/v=1\/game=hollowmere\/dt=2026-05-01 is damaged or missing/)
    assert.match(yield* refused, next)
    yield* exportTo(drop, { tables: few })
    rmSync(join(drop, "_state/hollowmere.json"))
    assert.match(yield* refused, /_state\/hollowmere\.json is damaged or missing/)
    assert.match(yield* refused, next)
  })
})
