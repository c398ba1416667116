import packageJson from "../../../../package.json" with { type: "json" }
import { hash } from "node:crypto"
import { Effect } from "effect"
import { type Session, sqlText } from "../duckdb/Lake.ts"
import { ownText } from "../../../feed/disk/ownText.ts"
import { searchSql } from "../search/publishSearch.ts"
import { trustSql } from "../trust/publishTrust.ts"
import { lakeFiles } from "../history/historyTables.ts"
import { Home } from "../../home/Home.ts"

/** Identifies the program that built a lake, because another program's lake may lack tables or columns. */
export const lakeProgram = hash(
  "sha256",
  [
    packageJson.version,
    ...lakeFiles.flatMap(([, files]) => files.map(({ sql }) => sql)),
    ...searchSql,
    ...trustSql,
    ownText(new URL("../history/is_another.sql", import.meta.url)),
    ownText(new URL("../fx/converted.sql", import.meta.url)),
    ownText(new URL("../macros/as_time.sql", import.meta.url)),
    ownText(new URL("../macros/meant.sql", import.meta.url))
  ].join("\n")
).slice(0, 16)

/** Returns the inputs of an open lake's sections; empty if another program built it. */
export const lakeMadeFrom = Effect.fnUntraced(function* (session: Session) {
  // A list of all views would take longer than the rest of a small game's publication.
  const rows = yield* session
    .rows("Read what the lake was made from", "select section, inputs from files.made_from")
    .pipe(
      Effect.catchIf(
        ({ message }) => /Catalog Error/.test(message),
        () => Effect.succeed([])
      )
    )
  const sections = new Map(rows.map(({ inputs, section }) => [String(section), String(inputs)]))
  return sections.get("program") === lakeProgram ? sections : new Map<string, string>()
})

/** Records the inputs of the next lake's sections in a view outside of the users' schema. */
export const recordInputs = (session: Session, sections: ReadonlyMap<string, string>) => {
  const rows = [...sections, ["program", lakeProgram]].map((row) => `(${row.map((text) => sqlText(text)).join(", ")})`)
  return session.run(
    "Record what the lake is made from",
    `create or replace view files.made_from as from (values ${rows.join(", ")}) made(section, inputs)`
  )
}

/**
 * Returns the folder in which an open lake was built, if the home was moved or copied since; else null. Its history
 * reads the files there until the next writing night rebuilds it.
 */
export const builtElsewhere = Effect.fnUntraced(function* (session: Session) {
  const { root } = yield* Home
  const [view] = yield* session.rows(
    "Read where the lake was built",
    "select sql from duckdb_views() where schema_name = 'files' and view_name = 'source_prices'"
  )
  const file = /'((?:[^']|'')*?)\/(?:snapshots|history)\/game=/.exec(String(view?.["sql"] ?? ""))?.[1]
  const built = file?.replaceAll("''", "'")
  return built === undefined || built === root ? null : built
})

/** True if another release built an open lake, which may lack tables or columns. */
export const builtByAnother = (session: Session) => Effect.map(lakeMadeFrom(session), (sections) => sections.size === 0)

export const elsewhereText = (built: string): string =>
  `The lake was built in ${built}, and its history reads the files there. Rebuild it for where it is now with: cardlake doctor --repair`
