import { Effect, Schema } from "effect"
import { ownText } from "../../../feed/disk/ownText.ts"
import { commentSql, type TableFile } from "../../../feed/schema/tableFile.ts"
import { snapshotTables } from "../../../feed/schema/snapshotTables.ts"
import { fileSize, isThere } from "../../home/disk.ts"
import { Home, lastCommittedRun, readCurrent } from "../../home/Home.ts"
import { type Session, sqlText } from "../duckdb/Lake.ts"
import { feedRows, feedTables } from "../history/feed.ts"
import { nightsTable, readingsTable, reusedIdsTable } from "../history/historyTables.ts"
import { nightlyTables } from "../history/nightlyTables.ts"
import { publishQuestions } from "../history/publishHistory.ts"
import { withIsListed } from "../publish/fillLake.ts"
import { type LakePlan, lakePlan } from "../publish/lakePlan.ts"
import { lakeMadeFrom } from "../publish/madeFrom.ts"
import { openLake } from "../publish/openLake.ts"
import { ledgers, ratesTable, sourcesTable } from "../publish/publishedTables.ts"
import { noRows, snapshotRows } from "../snapshot/snapshotRows.ts"

/** The lake is not the published one: a run is publishing, or the last one died. */
export class LakeBehind extends Schema.TaggedError<LakeBehind>()("LakeBehind", { home: Schema.String }) {
  override get message() {
    return `lake.duckdb in ${this.home} does not match what is published. Wait for the run that publishes it, or rebuild it with: cardlake doctor --repair`
  }
}

/** Names of the lake that a front leaves out, with the reason. */
export const leftOut: Readonly<Record<string, string>> = {
  find_products: "the search's tables are larger than a front",
  runs: "it reports what happened on the machine of the lake",
  quality_checks: "it has a row for each check of each snapshot",
  refusals: "it has raw records of the feed"
}

/** Small tables, which a front contains; all others are views over files. */
const copied: ReadonlyArray<TableFile> = [
  ...snapshotTables.filter(({ name }) => ["games", "expansions"].includes(name)),
  ...ledgers,
  nightsTable,
  readingsTable,
  reusedIdsTable,
  sourcesTable
].filter(({ name }) => !(name in leftOut))

const meant = ownText(new URL("./meant.sql", import.meta.url))

/** The variable that overrides the address of the files. */
const baseVariable = "cardlake_base"

/** Rewrites the home's paths in SQL to addresses below the base, and collects them. */
const rebase = (root: string, base: string, files: Set<string>) => {
  const escaped = root.replaceAll("'", "''").replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const literal = new RegExp(`'${escaped}/((?:[^']|'')*)'`, "g")
  return (sql: string): string =>
    sql.replaceAll(literal, (_, path: string) => {
      files.add(path.replaceAll("''", "'"))
      return `coalesce(getvariable('${baseVariable}'), ${sqlText(base)}) || '/${path}'`
    })
}

/** SQL of every table and view over files, by name. */
const viewsOf = Effect.fnUntraced(function* ({ changelogs, files, live, nightly }: LakePlan) {
  const { rates } = yield* Home
  const changelog = [...changelogs.values()].flat().filter(isThere)
  const current = yield* Effect.forEach(
    snapshotTables.filter((table) => !copied.includes(table) && !(table.name in leftOut)),
    Effect.fnUntraced(function* (table) {
      const found = changelog.filter((file) => file.endsWith(`/${table.name}.parquet`))
      const rows = feedTables.includes(table)
        ? found.length === 0
          ? noRows(table.columns)
          : feedRows(table, found)
        : yield* snapshotRows(live, table.name)
      return [table, withIsListed(table, rows)] as const
    })
  )
  const ofRates = isThere(rates)
    ? `from read_parquet(${sqlText(rates)}, hive_partitioning = false)`
    : noRows(ratesTable.columns)
  const ofNights = nightlyTables.map((table) => [table, nightly.get(table.name) ?? noRows(table.columns)] as const)
  const described = [...current, [ratesTable, ofRates] as const, ...ofNights]
  return { described, plain: [...files].map(([name, sql]) => [`files.${name}`, sql] as const) }
})

/** A front as it was built: the commit of its lake, the files that it names, relative to its base, and its size. */
export interface BuiltFront {
  readonly commit: string
  readonly files: ReadonlyArray<string>
  readonly sizeBytes: number
}

/**
 * Builds `front.duckdb` from the published lake: small tables, and views over the lake's files below `base`. The file
 * is complete when this returns. Whoever publishes it does so after the files, and never over a later commit.
 */
export const buildFront = Effect.fn("buildFront")(function* (file: string, base: string) {
  const home = yield* Home
  const session = yield* openLake
  const current = yield* readCurrent
  const plan = yield* lakePlan(current)
  const known = yield* lakeMadeFrom(session)
  if ([...plan.sections].some(([section, inputs]) => known.get(section) !== inputs)) {
    return yield* new LakeBehind({ home: home.root })
  }
  const files = new Set<string>()
  const commit = lastCommittedRun(current)
  const { described, plain } = yield* viewsOf(plan)
  const rebased = rebase(home.root, base, files)
  yield* Effect.scoped(
    Effect.gen(function* () {
      yield* Effect.acquireRelease(
        session.run(
          "Create the front",
          `attach ${sqlText(file)} as front (storage_version 'v1.4.0', block_size 16384)`
        ),
        () => Effect.ignore(session.run("Close the front", "use lake; detach front"))
      )
      yield* session.set({ [baseVariable]: home.root })
      yield* session.run("Open the front", "use front; create schema files; create schema search")
      for (const table of copied) {
        const rows = `from lake.${table.name} order by all`
        yield* session.run(`Copy ${table.name}`, `create table ${table.name} as ${rows}; ${commentSql(table, "table")}`)
      }
      for (const [name, sql] of plain) yield* session.run(`Name ${name}`, `create view ${name} as ${rebased(sql)}`)
      for (const [table, sql] of described) {
        const view = `create view ${table.name} as ${rebased(sql)}`
        yield* session.run(`Name ${table.name}`, `${view}; ${commentSql(table, "view")}`)
      }
      yield* publishQuestions(session, { meant, leftOut: Object.keys(leftOut) })
      yield* describeFront(session, { base, commit })
    })
  )
  return { commit, files: [...files].sort(), sizeBytes: yield* fileSize(file) } satisfies BuiltFront
}, Effect.scoped)

/** Records in a front what it is of, and what it lacks. */
const describeFront = (session: Session, { base, commit }: { readonly base: string; readonly commit: string }) => {
  const missing = Object.entries(leftOut).map((row) => `(${row.map(sqlText).join(", ")})`)
  return session.run(
    "Describe the front",
    `create table front as select ${sqlText(commit)} as lake_commit, ${sqlText(base)} as base;
     create table front_left_out as from (values ${missing.join(", ")}) names(name, reason)`
  )
}
