import { joined, type LoadedFile, type Stretch, type TableLoad, type WarehouseTable } from "./LoadPlan.ts"
import { parse } from "csv-parse/sync"
import { Effect, Result, Schema } from "effect"
import { onDisk } from "../../feed/disk/Disk.ts"
import { Fault } from "../../feed/contract/Fault.ts"

type Remembered = Effect.Success<ReturnType<typeof readLoaded>>[number]

export interface LoadRequest {
  /** The first day; null = no limit. */
  readonly since: string | null
  /** The last day; null = no limit. */
  readonly until: string | null
  /** The partitions in the warehouse: only differences are loaded. Null = everything is loaded. */
  readonly loaded: ReadonlyArray<Remembered> | null
}

const isRequested = (dt: string, { since, until }: LoadRequest) =>
  (since === null || dt >= since) && (until === null || dt <= until)

/** Returns hashes by partition. Several scripts may have recorded a duplicate: null, so that it is loaded again. */
const sumsByDay = (loaded: ReadonlyArray<Remembered>): ReadonlyMap<string, string | null> => {
  const sums = new Map<string, string | null>()
  for (const { dt, sha256 } of loaded) sums.set(dt, sums.has(dt) ? null : sha256)
  return sums
}

/** Returns ranges of days that differ. The first and the last range include everything beyond them. */
const differing = (
  game: string,
  files: ReadonlyArray<LoadedFile>,
  loaded: ReadonlyArray<Remembered>,
  request: LoadRequest
): ReadonlyArray<Stretch> => {
  const there = new Map(files.map(({ dt, sha256 }) => [dt, sha256]))
  const had = sumsByDay(loaded)
  const days = [...new Set([...there.keys(), ...had.keys()])].filter((dt) => isRequested(dt, request)).sort()
  const stretches: Array<Stretch> = []
  let isRun = false
  for (const [index, dt] of days.entries()) {
    const differs = had.get(dt) !== there.get(dt)
    const last = index === days.length - 1 ? request.until : dt
    if (differs && isRun) stretches.push({ games: [game], first: stretches.pop()?.first ?? null, last })
    else if (differs) stretches.push({ games: [game], first: index === 0 ? request.since : dt, last })
    isRun = differs
  }
  return stretches
}

const ofGame = <A extends { readonly game: string }>(list: ReadonlyArray<A>, game: string): ReadonlyArray<A> =>
  list.filter((one) => one.game === game)

/** Plans which rows of a table a script replaces, and from which files. */
export const planLoad = (
  table: WarehouseTable,
  games: ReadonlyArray<string>,
  files: ReadonlyArray<LoadedFile>,
  request: LoadRequest
): TableLoad => {
  const { loaded, since, until } = request
  const own = loaded?.filter((one) => one.table === table.name) ?? []
  const stretches =
    loaded === null
      ? [{ games, first: since, last: until }]
      : joined(games.flatMap((game) => differing(game, ofGame(files, game), ofGame(own, game), request)))
  const isReplaced = ({ dt, game }: LoadedFile) =>
    stretches.some(
      ({ first, games: named, last }) =>
        named.includes(game) && (first === null || dt >= first) && (last === null || dt <= last)
    )
  return { table, stretches, files: files.filter(isReplaced) }
}

const unreadable = (file: string, what: string) =>
  new Fault(
    "LoadedUnreadable",
    `${file} is not table cardlake_loaded as CSV with a header: ${what}. Write it with: select game_id, snapshot_date, table_name, sha256 from cardlake.cardlake_loaded`
  )

/** A row of `cardlake_loaded`. Some engines print a time after the day. */
const Row = Schema.Struct({
  game_id: Schema.String,
  snapshot_date: Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}([T ]|$)/)),
  table_name: Schema.String,
  sha256: Schema.String
})
const decode = Schema.decodeUnknownResult(Schema.Array(Row))

/** Reads the loaded partitions of a warehouse from a file. An empty file means an empty warehouse. */
export const readLoaded = Effect.fnUntraced(function* (file: string) {
  const rows = yield* onDisk(
    async (disk) =>
      parse(await disk.readText(file), {
        bom: true,
        columns: (names: ReadonlyArray<string>) => names.map((name) => name.toLowerCase().trim()),
        skip_empty_lines: true
      }) as ReadonlyArray<unknown>,
    (cause) => unreadable(file, cause instanceof Error ? cause.message : String(cause))
  )
  const read = decode(rows)
  if (Result.isFailure(read)) {
    return yield* unreadable(file, String(read.failure).replaceAll(/\s+/g, " "))
  }
  return read.success.map(({ game_id: game, sha256, snapshot_date: day, table_name: table }) => {
    return { game, table, dt: day.slice(0, 10), sha256 }
  })
})
