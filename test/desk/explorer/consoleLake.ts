import { DuckDBInstance } from "@duckdb/node-api"
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/**
 * A lake as a home has it: a table inside, a view over Parquet below `snapshots`,
 * a macro; and a private file beside them.
 */
export const consoleLake = async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "cardlake [test] {a,b} ")))
  const lake = join(home, "lake.duckdb")
  const parquet = join(home, "snapshots/prices.parquet")
  mkdirSync(join(home, "snapshots"))
  writeFileSync(join(home, "current.json"), '{"secret":"not for the console"}')
  const instance = await DuckDBInstance.create(lake)
  const connection = await instance.connect()
  await connection.run(`
    copy (select 7::bigint as id, 12.3400::decimal(18, 4) as low) to '${parquet}';
    create table cards as select 9007199254740991 as id, 'Marsh "Lantern", foil' as name, 0.1000::decimal(18, 4) as low, null as note
      union all select 2, '', 20000000.0001, 'x';
    create view prices as from read_parquet('${parquet}');
    create macro dearer_than(bound) as table from cards where low > bound`)
  connection.closeSync()
  instance.closeSync()
  return {
    home,
    lake,
    /** The files of the home, by path: the same before and after every query. */
    files: () => readdirSync(home, { recursive: true }).map(String).toSorted(),
    remove: () => rmSync(home, { recursive: true, force: true })
  }
}
