import { Effect, Schema } from "effect"
import { Home } from "../../home/Home.ts"
import type { Session } from "../duckdb/Lake.ts"

/** An earlier release made the lake. */
export class NoSearch extends Schema.TaggedError<NoSearch>()("NoSearch", { lake: Schema.String }) {
  override get message() {
    return `An earlier release made ${this.lake}, and it cannot be searched yet. The next night makes it anew; at once: cardlake doctor --repair`
  }
}

/** Fails with {@link NoSearch} where a lake has no tables to look names up in. */
export const searchable = Effect.fnUntraced(function* ({ rows }: Session) {
  const macro = "select 1 from duckdb_functions() where function_name = 'find_products' limit 1"
  if ((yield* rows("Look for the search", macro)).length === 0) return yield* new NoSearch({ lake: (yield* Home).lake })
})
