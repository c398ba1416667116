import { assert } from "@effect/vitest"
import { globSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { priceMoves } from "../../../../src/store/lake/history/nightlyTables.ts"
import { historyViews } from "../../../../src/store/lake/history/historyTables.ts"
import { type TableFile, tableFile } from "../../../../src/feed/schema/tableFile.ts"
import { Home } from "../../../../src/store/home/Home.ts"
import { sampleGame, sampleHome } from "../sampleHome.ts"
import { fileRows, lakeRows } from "../tableRows.ts"
import { suite } from "../../../support/suite.ts"

/** Views with columns that their header takes from a table, or that the contract's figures give. */
const spelledOut = new Map([...historyViews, priceMoves].map((view) => [view.name, view]))

const sqlOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(new URL(`../../../../src/${folder}`, import.meta.url)).filter((file) => file.endsWith(".sql"))

/** SQL that tables are made with; it gives no rows of its own. */
const noTable = new Set([
  "confirmed.sql",
  "is_another.sql",
  "as_time.sql",
  "meant.sql",
  "earlier_nights.sql",
  "fresh_nights.sql"
])

/** Every table file of the program, by table. */
const promised: ReadonlyMap<string, TableFile> = new Map(
  ["feed/schema/tables", "store/lake/published", "store/lake/history", "store/lake/views", "store/lake/macros"].flatMap(
    (folder) =>
      sqlOf(folder).flatMap((file) => {
        if (noTable.has(file)) return []
        const table = tableFile(new URL(`../../../../src/${folder}/${file}`, import.meta.url))
        return folder === "store/lake/macros" && table.view === ""
          ? []
          : [[table.name, spelledOut.get(table.name) ?? table] as const]
      })
  )
)

// A lake after two nights, so that it has changes.
suite(sampleHome, "lake.duckdb", (it) => {
  it("has every table of the program's .sql files and no other", function* () {
    const found = yield* lakeRows(`
        select table_name as name from duckdb_tables() where database_name = 'lake' and schema_name = 'main'
        union all select view_name from duckdb_views() where database_name = 'lake' and schema_name = 'main' and not internal`)
    assert.deepStrictEqual(found.map((row) => String(row["name"])).sort(), [...promised.keys()].sort())
  })

  it("has the comment of each header on its table or view", function* () {
    const found = yield* lakeRows(`
        select table_name as name, comment from duckdb_tables() where database_name = 'lake' and schema_name = 'main'
        union all select view_name, comment from duckdb_views() where database_name = 'lake' and schema_name = 'main' and not internal`)
    assert.deepStrictEqual(
      Object.fromEntries(found.map((row) => [row["name"], row["comment"]])),
      Object.fromEntries([...promised].map(([name, { comment }]) => [name, comment]))
    )
  })

  it("has the columns that the headers describe, in their order, each with its comment", function* () {
    const found = yield* lakeRows(`
        select table_name, column_name, comment from duckdb_columns()
        where database_name = 'lake' and schema_name = 'main' and not internal order by table_name, column_index`)
    const described = [...promised.values()]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap(({ columns, name }) => columns.map(({ comment, name: column }) => ({ name, column, comment })))
    assert.deepStrictEqual(
      found.map((row) => ({ name: row["table_name"], column: row["column_name"], comment: row["comment"] })),
      described
    )
  })

  for (const name of ["price_moves", "reconciliations"]) {
    it(`reads ${name} from Parquet with the columns and types that its .sql file declares`, function* () {
      const below = join((yield* Home).root, "changes", `game=${sampleGame}`)
      const changes = join(below, globSync("to=*", { cwd: below })[0] ?? "")
      const declared = (promised.get(name)?.columns ?? []).map(
        (column) => `${column.name} ${column.type.replace(", ", ",")}`
      )
      const written = yield* fileRows(
        `describe from read_parquet('${changes}/${name}.parquet', hive_partitioning = false)`
      )
      const published = yield* lakeRows(`describe ${name}`)
      for (const rows of [written, published]) {
        const found = rows.map((row) => `${String(row["column_name"])} ${String(row["column_type"]).toLowerCase()}`)
        assert.deepStrictEqual(found, declared)
      }
      const [count] = yield* lakeRows(`select count(*) as n from ${name}`)
      assert.isAbove(Number(count?.["n"]), 0)
    })
  }

  it("has no two rows with the same values in the columns of a header's grain", function* () {
    for (const { grain, name } of promised.values()) {
      const key = grain.replaceAll(/[()]/g, "")
      const twice = yield* lakeRows(`select ${key}, count(*) as n from ${name} group by ${key} having count(*) > 1`)
      assert.deepStrictEqual([name, twice], [name, []])
    }
  })
})
