import { Effect } from "effect"
import { FileDamaged } from "../../home/verifyFile.ts"
import { Home } from "../../home/Home.ts"
import { isLakeTooNew } from "../../../feed/reading/LakeError.ts"
import { openLake } from "./openLake.ts"

/**
 * Reads every row inside `lake.duckdb`, which checks the sum of
 * every block. Fails with `FileDamaged` if one cannot be read,
 * and with `LakeError` if a later DuckDB wrote it.
 */
export const lakeIsWhole = Effect.gen(function* () {
  const session = yield* openLake
  const tables = yield* session.rows(
    "List the lake's tables",
    "select schema_name as schema, table_name as name from duckdb_tables() where database_name = 'lake' and not internal and not temporary"
  )
  for (const { name, schema } of tables) {
    yield* session.rows(
      `Read ${String(name)}`,
      `select bit_xor(hash(t)) as content from lake."${String(schema)}"."${String(name)}" t`
    )
  }
}).pipe(
  Effect.scoped,
  Effect.catchTag(
    "LakeError",
    Effect.fnUntraced(function* (error) {
      if (isLakeTooNew(error)) return yield* error
      const reason = String(error.cause instanceof Error ? error.cause.message : error.cause).split("\n")[0]
      return yield* new FileDamaged({ file: (yield* Home).lake, what: `DuckDB cannot read it (${reason})` })
    })
  )
)
