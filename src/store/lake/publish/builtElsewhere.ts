import { Effect } from "effect"
import { lakeMadeFrom } from "./madeFrom.ts"
import { Home } from "../../home/Home.ts"
import type { Session } from "../duckdb/Lake.ts"

/**
 * The folder in which an open lake was built, if the home was moved or copied since: its history reads the files
 * there. Null: it was built here. The next night that writes to the home rebuilds it.
 */
export const builtElsewhere = Effect.fnUntraced(function* (session: Session) {
  const { root } = yield* Home
  const [view] = yield* session.rows(
    "Look where the lake was built",
    "select sql from duckdb_views() where schema_name = 'files' and view_name = 'source_prices'"
  )
  const file = /'((?:[^']|'')*?)\/(?:snapshots|history)\/game=/.exec(String(view?.["sql"] ?? ""))?.[1]
  const built = file?.replaceAll("''", "'")
  return built === undefined || built === root ? null : built
})

/** Whether another release built an open lake: it may lack tables or columns that this one asks for. */
export const builtByAnother = (session: Session) => Effect.map(lakeMadeFrom(session), (sections) => sections.size === 0)

/** What to do about it. */
export const elsewhereText = (built: string): string =>
  `The lake was built in ${built}, and its history reads the files there. Rebuild it for where it is now with: cardlake doctor --repair`
