import { Effect } from "effect"
import { Lake } from "../../src/lake/duckdb/Lake.ts"
import { sqlText } from "../../src/lake/duckdb/sqlText.ts"
import { Home } from "../../src/home/Home.ts"
import { readCurrent } from "../../src/home/Current.ts"
import { lakeMatches } from "../../src/lake/publish/lakeMatches.ts"

/** Whether the lake would be rebuilt, before and after SQL that makes it (`old`) one of 0.1.0. */
export const rebuiltAfter = Effect.fnUntraced(function* (sql: string) {
  const { lake } = yield* Home
  const session = yield* (yield* Lake).session
  const before = !(yield* lakeMatches(yield* readCurrent))
  yield* session.run("As release 0.1.0 had it", `attach ${sqlText(lake)} as old; ${sql}; detach old`)
  return { before, after: !(yield* lakeMatches(yield* readCurrent)) }
}, Effect.scoped)
