import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { contractVersion, snapshotTables } from "../../src/lake/load/snapshotTables.ts"
import { frozenHome, frozenReleases } from "./frozenHome.ts"

/** The contract versions that releases have written: one that adds, renames or retires a column says `since` the next one. */
const released: Readonly<Record<string, number>> = { "0.1.0": 1 }

const known = (name: string) =>
  name.toLowerCase().replace("timestamp with time zone", "timestamptz").replaceAll(" ", "")

describe.each(frozenReleases)("beside release %s the contract", (release) => {
  it.live(
    "has every column that was written, under its name or a later one, and says of each newer one since when",
    () =>
      Effect.gen(function* () {
        const version = released[release] ?? 0
        const { home } = yield* frozenHome(release)
        const manifest = yield* home.manifest
        assert.strictEqual(manifest.contractVersion, version)
        for (const { columns, name } of snapshotTables) {
          const file = join(home.paths.snapshot(manifest.gameId, manifest.snapshot), `${name}.parquet`)
          const rows = yield* home.query(
            `select column_name as name, column_type as type from (describe from read_parquet('${file}', hive_partitioning = false))`
          )
          const written = new Map(rows.map((row) => [String(row["name"]), known(String(row["type"]))]))
          const old = columns.filter(
            ({ formerly, since, type }) => type !== "" && (since <= version || formerly !== null)
          )
          assert.deepStrictEqual(
            old.map((column) => [column.formerly ?? column.name, known(column.type)]).toSorted(),
            [...written].toSorted(),
            name
          )
        }
        assert.isAtLeast(contractVersion, version)
      }).pipe(Effect.scoped)
  )
})
