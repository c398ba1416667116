import { hash } from "node:crypto"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { Fault } from "../../../feed/contract/Fault.ts"
import { makeFolders } from "../../../feed/disk/makeFolders.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { ownText } from "../../../feed/disk/ownText.ts"
import { commentSql, type TableFile } from "../../../feed/schema/tableFile.ts"
import { snapshotTables } from "../../../feed/schema/snapshotTables.ts"
import { fileSha256, isThere, makeFolder } from "../../home/disk.ts"
import { frontFile } from "../../home/homePaths.ts"
import { type Current, Home, lastCommittedRun, readCurrent } from "../../home/Home.ts"
import { type Session, sqlText } from "../duckdb/Lake.ts"
import { feedRows, feedTables } from "../history/feed.ts"
import { nightlyTables } from "../history/nightlyTables.ts"
import { publishQuestions } from "../history/publishHistory.ts"
import { withIsListed } from "../publish/fillLake.ts"
import { type LakePlan, lakePlan } from "../publish/lakePlan.ts"
import { lakeMadeFrom, lakeProgram } from "../publish/madeFrom.ts"
import { openLake } from "../publish/openLake.ts"
import { trustTables } from "../trust/publishTrust.ts"
import { lakeFiles, ratesTable } from "../history/historyTables.ts"
import { noRows, snapshotRows } from "../snapshot/snapshotRows.ts"

/** Names of the lake that a front leaves out, with the reason. */
export const leftOut: Readonly<Record<string, string>> = {
  find_products: "the search's tables are larger than a front",
  runs: "it reports what happened on the machine of the lake",
  quality_checks: "it has a row for each check of each snapshot",
  refusals: "it has raw records of the feed"
}

const isInFront = ({ name }: TableFile): boolean => !(name in leftOut)

/** Tables of snapshots that are views over the lake's files. */
const ofSnapshots = snapshotTables.filter((table) => !["games", "expansions"].includes(table.name) && isInFront(table))

/**
 * Small tables, which are files beside the front; all others are views over the lake's files. A front has views alone:
 * over HTTP, DuckDB reads a table's blocks when it needs them, and would mix those of a front that was replaced meanwhile.
 */
const copied = lakeFiles
  .flatMap(([kind, files]) => (kind === "table" ? files : []))
  .filter((table) => ![...ofSnapshots, ratesTable, ...nightlyTables].includes(table) && isInFront(table))

const meant = ownText(new URL("./meant.sql", import.meta.url))

/** The variables that override the address of all files, and of those of the small tables. */
const baseVariable = "cardlake_base"
const frontVariable = "cardlake_front"

/** Where a front's files are, if not in a copy of the home. */
export interface FrontObjects {
  /** The number of the lake's commit. */
  readonly commit: string
  /** Returns the key of a home's file below the base. Its last four names identify the object. */
  readonly keyOf: (path: string) => string
  /** A folder with the files by key, for the time of the build. */
  readonly here: string
  /** Returns the folder of the front's own files, which contain this checksum. */
  readonly folderOf: (sum: string) => string
}

/** A list of files whose paths have columns. Cardlake generates this SQL (`historyFiles.ts`). */
const listWithColumns =
  /read_parquet\(\[((?:'(?:[^']|'')*'(?:, )?)+)\], hive_partitioning = true, hive_types = \{([^}]*)\}((?:, union_by_name = true)?)\)/g

/**
 * Rewrites lists of files whose paths have columns: an object's key has none, so a map from the file's name has them.
 * DuckDB prunes files by it as by paths. Of equal files of one attempt, which are one object, each list has one.
 */
const mapColumns = (sql: string, markOf: (file: string) => string): string =>
  sql.replaceAll(listWithColumns, (_, ...[list = "", types = "", options = ""]: ReadonlyArray<string>) => {
    const columns = [...types.matchAll(/"(\w+)"/g)].map(([, name = ""]) => name)
    const lists: Array<Map<string, string>> = []
    for (const [file] of list.matchAll(/'(?:[^']|'')*'/g)) {
      const mark = markOf(file)
      const free = lists.find((files) => !files.has(mark)) ?? new Map<string, string>()
      if (free.size === 0) lists.push(free)
      free.set(mark, file)
    }
    const selects = lists.map((files) => {
      const rows = Array.from(files, ([mark, file]) => {
        const values = columns.map((name) => `'${new RegExp(`/${name}=([^/]*)/`).exec(file)?.[1] ?? ""}'`)
        return `'${mark}': [${values.join(", ")}]`
      })
      const named = columns.map((name, place) => `of_file[${place + 1}] as "${name}"`).join(", ")
      return `select * exclude (filename, of_file), ${named} from (
        select *, map {${rows.join(", ")}}[left(md5(array_to_string(string_split(filename, '/')[-4:], '/')), ${markLength})] as of_file
        from read_parquet([${[...files.values()].join(", ")}], hive_partitioning = false, filename = true${options}))`
    })
    return `(${selects.join("\nunion all by name\n")})`
  })

/** Rewrites the home's paths in SQL to addresses below the base, and collects them. */
const rebase = (
  { base, objects, root }: { readonly root: string; readonly base: string; readonly objects: FrontObjects | null },
  files: Set<string>
) => {
  const escaped = root.replaceAll("'", "''").replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const literal = new RegExp(`'${escaped}/((?:[^']|'')*)'`, "g")
  const plain = (path: string) => path.replaceAll("''", "'")
  const keyOf = (path: string) => objects?.keyOf(path) ?? path
  const markOf = (file: string) => {
    const key = keyOf(plain(file.slice(1, -1)).slice(root.length + 1))
    return hash("md5", key.split("/").slice(-4).join("/")).slice(0, markLength)
  }
  return (sql: string): string =>
    (objects === null ? sql : mapColumns(sql, markOf)).replaceAll(literal, (_, path: string) => {
      files.add(plain(path))
      return `coalesce(getvariable('${baseVariable}'), ${sqlText(base)}) || ${sqlText(`/${keyOf(plain(path))}`)}`
    })
}

/** The number of digits that tell the objects of a list apart. */
const markLength = 16

/** Returns SQL of the rows of every table that is a view over files. */
const readViews = Effect.fnUntraced(function* ({ changelogs, live, nightly }: LakePlan) {
  const { rates } = yield* Home
  const rowsOf = Effect.fnUntraced(function* (table: TableFile) {
    if (!feedTables.includes(table)) return yield* snapshotRows(live, table.name)
    const files = [...changelogs.values()].flat().filter((file) => file.endsWith(`/${table.name}.parquet`))
    return files.some(isThere) ? feedRows(table, files.filter(isThere)) : noRows(table.columns)
  })
  const current = yield* Effect.forEach(ofSnapshots, (table) =>
    Effect.map(rowsOf(table), (rows) => [table, withIsListed(table, rows)] as const)
  )
  const ofRates = isThere(rates)
    ? `from read_parquet(${sqlText(rates)}, hive_partitioning = false)`
    : noRows(ratesTable.columns)
  const ofNights = nightlyTables.map((table) => [table, nightly.get(table.name) ?? noRows(table.columns)] as const)
  return [...current, [ratesTable, ofRates] as const, ...ofNights]
})

/** All small tables: name in the lake and name of the file. */
const small = [
  ...copied.map(({ name }) => ({ name, file: `${name}.parquet` })),
  ...trustTables.map((name) => ({ name: `trust.${name}`, file: `trust_${name}.parquet` }))
]

/** Returns a front's own files in a folder; the last one is the front. */
export const filesOfFront = (folder: string): ReadonlyArray<string> =>
  [...small.map(({ file }) => file), frontFile].map((file) => `${folder}/${file}`)

/** Writes the small tables of the open lake as files. Returns their sums. */
const writeTables = Effect.fnUntraced(function* (session: Session, folder: string) {
  yield* makeFolder(folder)
  return yield* Effect.forEach(small, ({ file, name }) => {
    const path = join(folder, file)
    const sql = `copy (from lake.${name} order by all) to ${sqlText(path)} (format parquet)`
    return Effect.andThen(session.run(`Copy ${name}`, sql), fileSha256(path))
  })
})

/** Plans the lake. Fails if the open one differs: a run is publishing, or the last one died. */
const planOpenLake = Effect.fnUntraced(function* (session: Session, current: Current) {
  const plan = yield* lakePlan(current)
  const known = yield* lakeMadeFrom(session)
  const isBehind = [...plan.sections].some(([section, inputs]) => known.get(section) !== inputs)
  if (!isBehind) return plan
  const what = `lake.duckdb in ${(yield* Home).root} does not match what is published`
  const next = "Wait for the run that publishes it, or rebuild it with: cardlake doctor --repair"
  return yield* new Fault("LakeBehind", `${what}. ${next}`)
})

/**
 * Builds the front of the published lake in an empty folder: small tables, and a database of views over them and the
 * lake's files below `base`. Whoever publishes it does so after the files, and never over a later commit. Returns the
 * lake's commit, and the files that the front names: of the home, and of its own, whose names say what they contain.
 */
export const buildFront = Effect.fn("buildFront")(function* (
  stage: string,
  base: string,
  objects: FrontObjects | null = null
) {
  const home = yield* Home
  const session = yield* openLake
  const current = yield* readCurrent
  const plan = yield* planOpenLake(session, current)
  const files = new Set<string>()
  const rebased = rebase({ root: home.root, base, objects }, files)
  const lists = Array.from(plan.files, ([name, sql]) => [name, rebased(sql)] as const)
  const views = (yield* readViews(plan)).map(([table, sql]) => [table, rebased(sql)] as const)
  const sums = yield* writeTables(session, join(stage, "tables"))
  // What a front contains, wherever its home is: the same again has the same name.
  const content = [lakeProgram, base, sums, lists, views.map(([{ name }, sql]) => [name, sql])]
  const sum = hash("sha256", JSON.stringify(content)).slice(0, 16)
  const folder = objects?.folderOf(sum) ?? `fronts/${sum}`
  const ofFront = filesOfFront(folder)
  yield* lakeStep("Name the front", async (disk) => {
    await makeFolders(disk, dirname(join(stage, folder)))
    await disk.rename(join(stage, "tables"), join(stage, folder))
  })
  const commit = objects?.commit ?? lastCommittedRun(current)
  const atBase = `coalesce(getvariable('${baseVariable}'), ${sqlText(base)}) || '/${folder}'`
  const rowsOfSmall = (file: string) =>
    `from read_parquet(coalesce(getvariable('${frontVariable}'), ${atBase}) || '/${file}.parquet', hive_partitioning = false)`
  const smallViews = copied.map((table) => [table, rowsOfSmall(table.name)] as const)
  const trust = [
    "create schema trust",
    ...trustTables.map((name) => `create view trust.${name} as ${rowsOfSmall(`trust_${name}`)}`)
  ].join(";\n")
  const missing = Object.entries(leftOut).map((row) => `(${row.map(sqlText).join(", ")})`)
  yield* Effect.scoped(
    Effect.gen(function* () {
      const attach = `attach ${sqlText(join(stage, folder, frontFile))} as front (storage_version 'v1.4.0', block_size 16384)`
      yield* Effect.acquireRelease(session.run("Create the front", `${attach}; use front`), () =>
        Effect.ignore(session.run("Close the front", "use lake; detach front"))
      )
      yield* session.set({ [baseVariable]: objects?.here ?? home.root, [frontVariable]: join(stage, folder) })
      yield* session.run("Open the front", "create schema files; create schema search")
      for (const [name, sql] of lists) {
        yield* session.run(`Name files.${name}`, `create view files.${name} as ${sql}`)
      }
      for (const [table, sql] of [...smallViews, ...views]) {
        const view = `create view ${table.name} as ${sql}`
        yield* session.run(`Name ${table.name}`, `${view}; ${commentSql(table, "view")}`)
      }
      yield* publishQuestions(session, { meant, leftOut: Object.keys(leftOut), trust })
      yield* session.run(
        "Describe the front",
        `create view front as select ${sqlText(commit)} as lake_commit, ${sqlText(base)} as base;
         create view front_left_out as from (values ${missing.join(", ")}) names(name, reason)`
      )
    })
  )
  return { commit, ofHome: [...files].sort(), ofFront }
}, Effect.scoped)
