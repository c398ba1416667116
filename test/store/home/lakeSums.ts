import { DuckDBInstance } from "@duckdb/node-api"
import { join } from "node:path"

/** What differs between two homes that read the same nights: ids and times of their own runs. */
const ofRuns =
  /^(snapshot|run_id|previous|runs?|kind|why|seconds|requests|retried|cardlake_version|feed_before|rounds|(from|to|first|last|before|follows|by|added_in|removed_in)_?(snapshot|run)?|.*_seconds|snapshot_\w+|\w+_snapshot)$/

/** Rows of every table and view of a lake as counts and sums of hashes, without what is of its own runs. */
export const lakeSums = async (home: string): Promise<Readonly<Record<string, string>>> => {
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  try {
    await connection.run(`attach '${join(home, "lake.duckdb").replaceAll("'", "''")}' as lake (read_only); use lake`)
    const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson()
    const columns = await read(
      `select table_name as name, list(column_name order by ordinal_position) as columns, list(data_type order by ordinal_position) as types
       from information_schema.columns where table_catalog = 'lake' and table_schema = 'main' group by 1 order by 1`
    )
    const sums: Record<string, string> = {}
    for (const row of columns) {
      const name = String(row["name"])
      // A lake that is built with the next publication does not have the runs since the last one yet.
      if (["runs", "snapshots", "quality_checks"].includes(name)) continue
      const types = row["types"] as ReadonlyArray<string>
      const kept = (row["columns"] as ReadonlyArray<string>).filter(
        (column, index) => !ofRuns.test(column) && !/TIMESTAMP|INTERVAL/.test(types[index] ?? "")
      )
      const hashed = kept.length === 0 ? "1" : kept.map((column) => `"${column}"`).join(", ")
      const [sum] = await read(
        `select count(*)::varchar as n, sum(hash(${hashed})::hugeint)::varchar as content from "${name}"`
      )
      sums[name] = `${String(sum?.["n"])} ${String(sum?.["content"])}`
    }
    return sums
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
