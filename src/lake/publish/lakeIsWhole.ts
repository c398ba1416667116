import { Effect } from "effect"
import { FileDamaged } from "../../home/FileDamaged.ts"
import { Home } from "../../home/Home.ts"
import { openLake } from "./openLake.ts"

/**
 * Reads every row inside `lake.duckdb`, which checks the sum of
 * every block. Fails with `FileDamaged` if one cannot be read.
 */
export const lakeIsWhole = Effect.gen(function* () {
  const session = yield* openLake
  const tables = yield* session.rows(
    "List the lake's tables",
    "select table_name as name from duckdb_tables() where database_name = 'lake' and not internal and not temporary"
  )
  for (const { name } of tables) {
    yield* session.rows(`Read ${String(name)}`, `select bit_xor(hash(t)) as content from lake."${String(name)}" t`)
  }
}).pipe(
  Effect.scoped,
  Effect.catchTag("LakeError", ({ cause }) =>
    Effect.flatMap(Home, ({ lake }) => {
      const reason = String(cause instanceof Error ? cause.message : cause).split("\n")[0]
      return new FileDamaged({ file: lake, what: `DuckDB cannot read it (${reason})` })
    })
  )
)
