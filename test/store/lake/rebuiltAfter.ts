import { Effect } from "effect"
import { Lake, sqlText } from "../../../src/store/lake/duckdb/Lake.ts"
import { Home, readCurrent } from "../../../src/store/home/Home.ts"
import { lakeMatches } from "../../../src/store/lake/publish/publish.ts"

/** Whether the lake would be rebuilt, before and after SQL that makes it (`old`) one of another build. */
export const rebuiltAfter = Effect.fnUntraced(function* (sql: string) {
  const { lake } = yield* Home
  const session = yield* (yield* Lake).session
  const before = !(yield* lakeMatches(yield* readCurrent))
  yield* session.run("As another build has it", `attach ${sqlText(lake)} as old; ${sql}; detach old`)
  return { before, after: !(yield* lakeMatches(yield* readCurrent)) }
}, Effect.scoped)
