import { DuckDBInstance } from "@duckdb/node-api"
import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"

const macros = readFileSync(new URL("../../../../src/store/lake/macros/as_time.sql", import.meta.url), "utf8")

/** Forms of ISO 8601 and values of SQL, and what they are in UTC. */
const times: ReadonlyArray<readonly [text: string, utc: string]> = [
  ["2026-08-10", "2026-08-10 00:00:00"],
  [" 2026-8-1 ", "2026-08-01 00:00:00"],
  ["2026-08-10Z", "2026-08-10 00:00:00"],
  ["2026-08-10+02:00", "2026-08-09 22:00:00"],
  ["2026-08-10T05", "2026-08-10 05:00:00"],
  ["2026-08-10T05Z", "2026-08-10 05:00:00"],
  ["2026-08-10 05:30", "2026-08-10 05:30:00"],
  ["2026-08-10T05:30Z", "2026-08-10 05:30:00"],
  ["2026-08-10t05:30z", "2026-08-10 05:30:00"],
  ["2026-08-10T05:30+00", "2026-08-10 05:30:00"],
  ["2026-08-10T05:30-0330", "2026-08-10 09:00:00"],
  ["2026-08-10 05:30 +02:00", "2026-08-10 03:30:00"],
  ["2026-08-10T053000Z", "2026-08-10 05:30:00"],
  ["2026-08-10T05:30:00z", "2026-08-10 05:30:00"],
  ["2026-08-10T05:30:01,5", "2026-08-10 05:30:01.5"],
  ["2026-08-10T05:30:01.123456789-02", "2026-08-10 07:30:01.123456"],
  ["2026-08-10T24:00Z", "2026-08-11 00:00:00"],
  ["2026-08-10 05:30:00 Europe/Berlin", "2026-08-10 03:30:00"]
]
const values: typeof times = [
  ["date '2026-08-10'", "2026-08-10 00:00:00"],
  ["timestamp '2026-08-10 05:30:00'", "2026-08-10 05:30:00"],
  ["timestamptz '2026-08-10 05:30:00Z'", "2026-08-10 05:30:00"]
]

it("a time is read in every form of ISO 8601, in UTC where it names no zone, whatever the session's zone", async () => {
  const connection = await (await DuckDBInstance.create(":memory:")).connect()
  await connection.run(`set TimeZone = 'Pacific/Honolulu'; ${macros}`)
  for (const [value, utc] of [...values, ...times.map(([text, utc]) => [`'${text}'`, utc])]) {
    const rows = await connection.runAndReadAll(`select (as_time(${value}) at time zone 'UTC')::varchar`)
    assert.strictEqual(rows.getRows()[0]?.[0], utc, value)
  }
  connection.closeSync()
})
