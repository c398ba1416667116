import { Effect } from "effect"
import { tableName } from "./Drop.ts"
import { putJoined, type JoinsIn, type PutJoined } from "./putJoined.ts"
import type { LiveFile } from "./readBack.ts"

export interface JoinSizes {
  /** The minimum size of a file that is not joined. */
  readonly largeBytes: number
  /** The size that ends a group of smaller files. */
  readonly enoughBytes: number
}
export const joinSizes: JoinSizes = { largeBytes: 64e6, enoughBytes: 128e6 }

/** A file of a table with its first day. */
export interface DatedFile extends LiveFile {
  readonly from: string
}

export interface CompactedTable {
  readonly table: string
  /** The number of files that were replaced. */
  readonly joined: number
  readonly files: { readonly before: number; readonly after: number }
  readonly bytes: { readonly before: number; readonly after: number }
  /** The number of rows in the replaced files, which equals that in the new ones. */
  readonly rows: number
}

/** Groups a game's files to join, by day. Those of the last day's month are kept, as a night may still change them. */
const filesToJoin = (
  files: ReadonlyArray<DatedFile>,
  { enoughBytes, largeBytes }: JoinSizes
): ReadonlyArray<ReadonlyArray<DatedFile>> => {
  const last = files.reduce((month, { dt, from }) => ((dt ?? from) > month ? (dt ?? from) : month), "").slice(0, 7)
  const groups: Array<Array<DatedFile>> = [[]]
  let bytes = 0
  const close = () => {
    groups.push([])
    bytes = 0
  }
  for (const file of files.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    if (file.dt !== null && file.dt.slice(0, 7) >= last) continue
    if (file.bytes >= largeBytes) {
      close()
      continue
    }
    groups.at(-1)?.push(file)
    bytes += file.bytes
    if (bytes >= enoughBytes) close()
  }
  return groups.filter((group) => group.length > 1)
}

const sum = (files: ReadonlyArray<{ readonly bytes: number; readonly rows: number }>, figure: "bytes" | "rows") =>
  files.reduce((total, file) => total + file[figure], 0)

/**
 * Writes joined files of a table's past months, game by game. If there are any, `commit` gets them with the paths of the
 * files that they replace. Returns what a compaction reports.
 */
export const joinFiles = Effect.fnUntraced(function* <E>(
  joins: JoinsIn,
  files: ReadonlyArray<DatedFile>,
  sizes: JoinSizes,
  commit: (puts: ReadonlyArray<PutJoined>, displaced: ReadonlySet<string>) => Effect.Effect<unknown, E>
) {
  const games = [...new Set(files.map(({ game }) => game))].sort()
  const replaced: Array<LiveFile> = []
  const puts: Array<PutJoined> = []
  for (const game of games) {
    const ofGame = files.filter((file) => file.game === game)
    for (const sources of filesToJoin(ofGame, sizes)) {
      const put = yield* putJoined(joins, sources, null)
      if (put === null) continue
      replaced.push(...sources)
      puts.push(put)
    }
  }
  const before = sum(files, "bytes")
  const compacted: CompactedTable = {
    table: tableName(joins.table),
    joined: replaced.length,
    files: { before: files.length, after: files.length - replaced.length + puts.length },
    bytes: { before, after: before - sum(replaced, "bytes") + sum(puts, "bytes") },
    rows: sum(puts, "rows")
  }
  if (puts.length > 0) yield* commit(puts, new Set(replaced.map(({ path }) => path)))
  return compacted
})
