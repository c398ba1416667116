import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"

export interface LiveFile {
  readonly path: string
  readonly partitionValues: Readonly<Record<string, string>>
  readonly size: number
  readonly stats: string
}
interface Line {
  readonly add?: LiveFile
  readonly remove?: { readonly path: string }
  readonly metaData?: { readonly schemaString: string; readonly partitionColumns: ReadonlyArray<string> }
  readonly commitInfo?: { readonly operation: string; readonly operationParameters: Readonly<Record<string, string>> }
}

/** The commits of a table, by a reader that shares no code with the writer. */
export const commitsIn = (location: string): ReadonlyArray<ReadonlyArray<Line>> =>
  readdirSync(join(location, "_delta_log"))
    .filter((name) => /^\d{20}\.json$/.test(name))
    .sort()
    .map((name) => commitOf(readFileSync(join(location, "_delta_log", name), "utf8")))

export const commitOf = (text: string): ReadonlyArray<Line> =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line)

/** Files of a table as of a version, by default the last, as the protocol says to find them. */
export const liveFiles = (
  commits: ReadonlyArray<ReadonlyArray<Line>>,
  version = commits.length - 1
): ReadonlyArray<LiveFile> => {
  const files = new Map<string, LiveFile>()
  for (const { add, remove } of commits.slice(0, version + 1).flat()) {
    if (remove !== undefined) files.delete(remove.path)
    if (add !== undefined) files.set(add.path, add)
  }
  return [...files.values()]
}

/** Columns that a table has now. */
export const columnsIn = (commits: ReadonlyArray<ReadonlyArray<Line>>) => {
  const last = commits.flat().findLast(({ metaData }) => metaData !== undefined)?.metaData
  const schema = JSON.parse(last?.schemaString ?? "{}") as {
    readonly fields: ReadonlyArray<{ readonly name: string; readonly type: string; readonly nullable: boolean }>
  }
  return schema.fields
}
