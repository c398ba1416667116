import { assert } from "@effect/vitest"
import { loadScript } from "../../src/warehouse/engines/loadScript.ts"
import { contractsIn, exportTo, temporaryFolder } from "./FourNights.ts"
import { digestsSql, Nasty } from "./Nasty.ts"
import { noPostgres, servePostgres } from "./servePostgres.ts"
import { suite } from "../support/suite.ts"

if (noPostgres !== null) console.warn(`${noPostgres}: the tests with it are skipped`)

/** Settings that a load may find: of the client, and in PGOPTIONS of the session. */
const settings: ReadonlyArray<Readonly<Record<string, string>>> = [
  {},
  { PGCLIENTENCODING: "LATIN1", PGTZ: "Asia/Kolkata", PGDATESTYLE: "German, DMY", TZ: "Pacific/Honolulu" },
  { PGCLIENTENCODING: "WIN1252", PGOPTIONS: "-c standard_conforming_strings=off -c backslash_quote=off" },
  { PGCLIENTENCODING: "SJIS", LC_ALL: "C", PGOPTIONS: "-c intervalstyle=iso_8601 -c search_path=pg_temp" }
]

suite(Nasty.layer, "a catalogue of nasty texts", (it) => {
  it.skipIf(noPostgres !== null)(
    "is loaded by Postgres' script as the drop has it, whatever settings psql finds",
    function* () {
      const { drop, known } = yield* Nasty
      const psql = yield* servePostgres
      const few = yield* temporaryFolder
      yield* exportTo(few, { tables: ["games", "products", "refusals"] })
      for (const [index, env] of settings.entries()) {
        const [database, from] = [`settings${index}`, index === 0 ? drop : few]
        const script = yield* loadScript(from, "postgres", null)
        assert.strictEqual(psql("postgres", `create database ${database}`).code, 0)
        const ran = psql(database, script, { ...env, CARDLAKE_HOME: `${drop}/nowhere` })
        assert.strictEqual(ran.code, 0, ran.errors)
        for (const { columns, table } of contractsIn(from)) {
          const rows = psql(
            database,
            `set timezone = 'UTC';\n${digestsSql("postgres", columns, `from cardlake.${table}`)}`
          )
          assert.deepStrictEqual(rows.out.trimEnd().split("\n").filter(Boolean), [...(known.get(table) ?? [])], table)
        }
      }
    },
    600_000
  )
})
