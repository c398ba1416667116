import { assert, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { contractVersion, snapshotTables } from "../../src/feed/schema/snapshotTables.ts"
import { nameIn, newestVersion, parseTableFile } from "../../src/feed/schema/tableFile.ts"
import { frozenHome, frozenReleases } from "./frozenHome.ts"
import { live } from "../support/suite.ts"

/** The contract version that each release wrote; a column that is added says `since` the next one. */
const released: Readonly<Record<string, number>> = { "0.2.0": 6 }

const known = (name: string) =>
  name.toLowerCase().replace("timestamp with time zone", "timestamptz").replaceAll(" ", "")

it("a renamed column keeps its `since`, and files of each version have its name of that time", () => {
  const table = parseTableFile(`-- ships: those in the harbour
-- grain:  one row per name
-- since:  7
-- columns:
--   name varchar: of the ship
--   draught integer since 8 formerly depth until 10: in metres
--   flag varchar since 9 retired 11: where it is at home
select 1;`)
  const namesIn = (version: number) => table.columns.map((column) => nameIn(column, version))
  assert.deepStrictEqual([7, 8, 9, 10].map(namesIn), [
    ["name", null, null],
    ["name", "depth", null],
    ["name", "depth", "flag"],
    ["name", "draught", "flag"]
  ])
  assert.deepStrictEqual([table.since, newestVersion([table])], [7, 11])
})

describe.each(frozenReleases)("beside release %s the contract", (release) => {
  live(
    "has every column that the release wrote, under its name or a later one, and a `since` for each newer one",
    function* () {
      const version = released[release] ?? 0
      const { home } = yield* frozenHome(release)
      const manifest = yield* home.manifest
      assert.strictEqual(manifest.contractVersion, version)
      for (const { columns, name } of snapshotTables.filter(({ since }) => since <= version)) {
        const file = join(home.paths.snapshot(manifest.gameId, manifest.snapshot), `${name}.parquet`)
        const rows = yield* home.query(
          `select column_name as name, column_type as type from (describe from read_parquet('${file}', hive_partitioning = false))`
        )
        const written = new Map(rows.map((row) => [String(row["name"]), known(String(row["type"]))]))
        const old = columns.filter(({ since, type }) => type !== "" && since <= version)
        const nameThen = ({ formerly, name }: (typeof columns)[number]) =>
          formerly !== null && version < formerly.until ? formerly.name : name
        assert.deepStrictEqual(
          old.map((column) => [nameThen(column), known(column.type)]).toSorted(),
          [...written].toSorted(),
          name
        )
      }
      assert.isAtLeast(contractVersion, version)
    }
  )
})
