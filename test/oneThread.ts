import { syncBuiltinESMExports } from "node:module"
import os from "node:os"
import { DuckDBInstance } from "@duckdb/node-api"

const mark = Symbol.for("cardlake/test/oneThread")
const marked: typeof DuckDBInstance & { [mark]?: boolean } = DuckDBInstance

// One thread parses pages, too: each loads all that it needs.
os.availableParallelism = () => 1
syncBuiltinESMExports()

/**
 * DuckDB in a test's own process has one thread. With more, one waits in a loop for the others, and
 * the files that share the cores pay for it. Programs that tests start and `--mode full` have all.
 */
if (marked[mark] !== true) {
  const create = DuckDBInstance.create.bind(DuckDBInstance)
  DuckDBInstance.create = (path, options) => create(path, { threads: "1", ...options })
  marked[mark] = true
}
