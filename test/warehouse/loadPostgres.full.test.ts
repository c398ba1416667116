import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { loadScript } from "../../src/warehouse/engines/loadScript.ts"
import { readLoaded } from "../../src/warehouse/engines/planLoad.ts"
import { gameId } from "../store/lake/invented.ts"
import { contractsIn, temporaryFolder, FourNights } from "./FourNights.ts"
import { eightExports } from "./eightExports.ts"
import { noPostgres, servePostgres, type OfPsql } from "./servePostgres.ts"
import { suite } from "../support/suite.ts"

if (noPostgres !== null) console.warn(`${noPostgres}: the tests with it are skipped`)

const changing = ["products", "source_prices", "expansions", "readings", "fx_rates"]
const everything = { since: null, until: null, loaded: null }
const outOf = ({ code, errors, out }: OfPsql): string => {
  assert.strictEqual(code, 0, errors)
  return out
}

/** The script up to the middle of its transaction, where psql is killed. */
const halfOf = (script: string): string => {
  const statements = script.split("\n\n")
  const middle = Math.ceil((statements.indexOf("begin;") + statements.length) / 2)
  return `${statements.slice(0, middle).join("\n\n")}\n\\! kill -9 $PPID\n`
}

suite(FourNights.layer, "Postgres", (it) => {
  it.skipIf(noPostgres !== null)(
    "has of eight exports, loaded by --since auto and killed halfway, what a load from nothing makes of the last",
    function* () {
      const services = yield* FourNights.copy
      const psql = yield* servePostgres
      const folder = yield* temporaryFolder
      const drop = join(folder, `it's a "drop" for $5`)
      const csv = join(folder, "loaded.csv")
      // No lake is there: the drop needs none.
      const env = { CARDLAKE_HOME: join(folder, "nowhere") }
      mkdirSync(drop)
      writeFileSync(csv, "")
      const rowsIn = (database: string) =>
        [...contractsIn(drop).map(({ table }) => table), "cardlake_loaded"].map((table) =>
          outOf(psql(database, `select '${table}', row from cardlake.${table} row order by row::text`))
        )
      for (const [index, { days, run, what }] of eightExports(drop, changing).entries()) {
        yield* Effect.provideContext(run, services)
        const loaded = yield* readLoaded(csv)
        const script = yield* Effect.provideContext(loadScript(drop, "postgres", { ...everything, loaded }), services)
        if (days > 0) assert.strictEqual(psql("postgres", halfOf(script), env).signal, "SIGKILL", what)
        outOf(psql("postgres", script, env))
        writeFileSync(
          csv,
          outOf(psql("postgres", `\\pset format csv\n\\pset tuples_only off\nselect * from cardlake.cardlake_loaded;`))
        )
        outOf(psql("postgres", `create database fresh${index}`))
        const fromNothing = yield* Effect.provideContext(loadScript(drop, "postgres", null), services)
        outOf(psql(`fresh${index}`, fromNothing, env))
        assert.deepStrictEqual(rowsIn("postgres"), rowsIn(`fresh${index}`), what)
      }
      // Two, three and five cards on the days 1 to 3.
      const products = outOf(psql("postgres", "select count(*), count(distinct snapshot_date) from cardlake.products"))
      assert.strictEqual(products, "10|3\n")
    },
    600_000
  )

  it.skipIf(noPostgres !== null)("its psql uploads the list of files that Redshift's COPY takes", function* () {
    const { drop, services } = yield* FourNights
    const psql = yield* servePostgres
    const folder = yield* temporaryFolder
    // In the place of the program aws: it writes its standard input where it is told to.
    writeFileSync(join(folder, "aws"), `#!/bin/sh\ncat > "$4"\n`)
    chmodSync(join(folder, "aws"), 0o755)
    const script = yield* Effect.provideContext(loadScript(drop, "redshift", null), services)
    const commands = script.split("\n").filter((line) => /^\\(?!gexec)/.test(line))
    const env = { PATH: `${folder}:${process.env["PATH"]}` }
    const sent = psql("postgres", `\\set manifests '${folder}'\n${commands.join("\n")}\n\\echo :manifest`, env)
    const [last = ""] = outOf(sent).split("\n").slice(-2)
    assert.match(last, /nights-[0-9a-f]{16}\.json$/)
    const { entries } = JSON.parse(readFileSync(last, "utf8")) as { entries: ReadonlyArray<{ url: string }> }
    assert.deepStrictEqual(
      entries.map(({ url }) => url),
      ["2026-05-01", "2026-05-02", "2026-05-03", "2026-05-04"].map(
        (day) => `${drop}/nights/v=1/game=${gameId}/dt=${day}/part-00000.parquet`
      )
    )
  })
})
