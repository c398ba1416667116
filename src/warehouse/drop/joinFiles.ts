import { Effect } from "effect"
import { putJoined, type JoinsIn, type PutJoined } from "./putJoined.ts"
import type { LiveFile } from "./readBack.ts"

/** How large files are to become. */
export interface JoinSizes {
  /** A file of so many bytes stays as it is. */
  readonly largeBytes: number
  /** Smaller ones go together until they have so many. */
  readonly enoughBytes: number
}
export const joinSizes: JoinSizes = { largeBytes: 64e6, enoughBytes: 128e6 }

/** A file of a table, and its first day. */
export interface DatedFile extends LiveFile {
  readonly from: string
}

/** A file that took the place of others. */
export interface Joined {
  readonly sources: ReadonlyArray<LiveFile>
  readonly put: PutJoined
}

/** What compacting did to a table. */
export interface CompactedTable {
  readonly table: string
  /** How many files became others. */
  readonly joined: number
  readonly files: { readonly before: number; readonly after: number }
  readonly bytes: { readonly before: number; readonly after: number }
  /** Of the files that became others: none is lost and none is new. */
  readonly rows: number
}

/** Files of a game that go together, by day. Those of the month of its last day stay: a night may still change them. */
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

/** Writes the files of a table's past months together, game by game. Nothing names the new ones yet. */
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

const bytesOf = (files: ReadonlyArray<{ readonly bytes: number }>) => files.reduce((sum, { bytes }) => sum + bytes, 0)

/** What a table had and has. */
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
    bytes: { before: bytesOf(files), after: bytesOf(files) - bytesOf(gone) + bytesOf(puts) },
    rows: puts.reduce((sum, { rows }) => sum + rows, 0)
  }
}
