import { DuckDBInstance } from "@duckdb/node-api"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Extraction } from "../../src/extract/Extraction.ts"

const records = readFileSync(new URL("../../src/lake/raw/records.sql", import.meta.url), "utf8")

/**
 * The floor under a load: DuckDB reads the product pages with the same types,
 * every field of every record, and keeps nothing.
 */
export const typedScan = async (extraction: Extraction, folder: string): Promise<void> => {
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  const files = extraction.pages
    .filter((page) => page.kind === "products")
    .map((page) => `'${join(folder, page.load)}'`)
  await connection.run(records)
  await connection.run(`set variable product_files = [${files.join(", ")}]`)
  await connection.run(`select count(p) from (
    select unnest(data) as p
    from read_json(getvariable('product_files'), columns = {data: 'raw_product[]'}, format = 'newline_delimited'))`)
  connection.closeSync()
  instance.closeSync()
}
