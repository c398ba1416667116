import { Effect } from "effect"
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

/** A file that replaced others. */
export interface Joined {
  readonly sources: ReadonlyArray<LiveFile>
  readonly put: PutJoined
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
export const filesToJoin = (
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

/** Writes joined files of a table's past months, game by game. Nothing references the new files yet. */
export const joinFiles = Effect.fnUntraced(function* (
  joins: JoinsIn,
  files: ReadonlyArray<DatedFile>,
  sizes: JoinSizes
) {
  const games = [...new Set(files.map(({ game }) => game))].sort()
  const groups = games.flatMap((game) =>
    filesToJoin(
      files.filter((file) => file.game === game),
      sizes
    )
  )
  const joined: Array<Joined> = []
  for (const sources of groups) {
    const put = yield* putJoined(joins, sources, null)
    if (put !== null) joined.push({ sources, put })
  }
  return joined
})

const sumBytes = (files: ReadonlyArray<{ readonly bytes: number }>) => files.reduce((sum, { bytes }) => sum + bytes, 0)

export const compactedTable = (
  table: string,
  files: ReadonlyArray<LiveFile>,
  joined: ReadonlyArray<Joined>
): CompactedTable => {
  const gone = joined.flatMap(({ sources }) => sources)
  const puts = joined.map(({ put }) => put)
  return {
    table,
    joined: gone.length,
    files: { before: files.length, after: files.length - gone.length + puts.length },
    bytes: { before: sumBytes(files), after: sumBytes(files) - sumBytes(gone) + sumBytes(puts) },
    rows: puts.reduce((sum, { rows }) => sum + rows, 0)
  }
}
