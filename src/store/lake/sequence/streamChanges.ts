import { basename, join } from "node:path"
import { Effect, Stream } from "effect"
import type { SnapshotId } from "../../../feed/contract/Ids.ts"
import { Disk, withDisk } from "../../../feed/disk/Disk.ts"
import { LakeError, lakeStep } from "../../../feed/reading/LakeError.ts"
import { privateFolder, verifyKept } from "../../home/disk.ts"
import { Home } from "../../home/Home.ts"
import { readSnapshot, type SnapshotFolder } from "../../home/Manifest.ts"
import { type Session, scratchSession, sqlText, parquetFormat } from "../duckdb/Lake.ts"
import { snapshotFiles, noRows, snapshotRows } from "../snapshot/snapshotRows.ts"
import { changedTables, type Entity, entities } from "./changedTables.ts"
import { countDifferingSql, differingSql, linesSql, type Sides, type SidesOf } from "./entriesSql.ts"
import { isComparable, type Position, type PublicationOfGame, readPublications } from "./publications.ts"

/** The changes since a number cannot be computed. The reader loads these tables whole, and continues from `sequence`. */
export interface Restart extends Position {
  readonly _tag: "Restart"
  readonly tables: ReadonlyArray<string>
  /** Why they cannot be computed, as a sentence without its end. */
  readonly why: string
}

export const restartFrom = (newest: Position, why: string): Restart => ({
  _tag: "Restart",
  ...newest,
  tables: changedTables.map(({ name }) => name),
  why: `${why}; the newest is ${newest.sequence}`
})

/** Returns the answer to a number after the newest one. */
export const restartAfter = (newest: Position, since: number): Restart =>
  restartFrom(newest, `Publication ${since} never was`)

export interface ChangesSince {
  /** The last number that the reader has seen; 0 = none. */
  readonly since: number
  /** The run of that publication; undefined: it is not compared. */
  readonly run?: string | undefined
  /** An empty list selects all games. */
  readonly games: ReadonlyArray<string>
  /** Ends after the first publication that reaches this number of entries. */
  readonly maxEntries?: number
}

/** Where entries are computed. */
interface Workplace {
  readonly session: Session
  /** Has the lines of a few queries. */
  readonly folder: string
  /** The numbers of files and entries until now. */
  files: number
  entries: number
}

/** Lines of JSON need no quotation marks, and have no control character. */
const linesFormat = String.raw`(format csv, header false, quote '', escape '', delimiter E'\x01')`

/** Has DuckDB write the lines of a query into a file. A JavaScript string for each would take as long as making them. */
const writeLines = Effect.fnUntraced(function* (place: Workplace, step: string, sql: string) {
  const file = join(place.folder, `lines-${place.files++}`)
  const [copied] = yield* place.session.rows(step, `copy (${sql}) to ${sqlText(file)} ${linesFormat}`)
  place.entries += Number(copied?.["Count"])
  return file
})

/** Reads a file once, and deletes it. */
const readOnce = (file: string) => {
  const step = `Read ${file}`
  const failed = (cause: unknown) => new LakeError({ step, cause })
  return Stream.unwrap(
    Effect.map(Disk, (disk) => Stream.fromAsyncIterable<Uint8Array, LakeError>(disk.readStream(file, 1 << 18), failed))
  ).pipe(Stream.ensuring(withDisk((disk) => disk.remove(file))))
}

const readSides = Effect.fnUntraced(function* (was: SnapshotFolder | null, is: SnapshotFolder) {
  const rows = new Map<string, Sides>()
  for (const { columns, name } of changedTables) {
    const sums = [was, is].map((one) => one?.manifest.tables[name]?.sha256)
    rows.set(name, {
      was: was === null ? noRows(columns) : yield* snapshotRows([was], name),
      is: yield* snapshotRows([is], name),
      isSame: was?.manifest.contractVersion === is.manifest.contractVersion && sums[0] === sums[1]
    })
  }
  return (table: string) => rows.get(table) ?? { was: "", is: "", isSame: true }
})

/** Products per query. The whole item of an added product is large. */
const productsPerQuery = { ofAdded: 5000, ofOthers: 75_000 }

/** Returns the ranges of products whose entries are queried together. */
const splitProducts = Effect.fnUntraced(function* (session: Session, products: string, added: number) {
  const most = added > productsPerQuery.ofAdded ? productsPerQuery.ofAdded : productsPerQuery.ofOthers
  const found = yield* session.rows(
    "Split the products",
    `select product_id::varchar as last from (${products}) window w as (order by product_id)
     qualify row_number() over w % ${most} = 0 and lead(product_id) over w is not null order by product_id`
  )
  const lasts = found.map(({ last }) => String(last))
  return [...lasts, null].map((last, at) => (id: string) => {
    const after = at === 0 ? "true" : `${id} > ${lasts[at - 1]}`
    return last === null ? after : `${after} and ${id} <= ${last}`
  })
})

const entityLines = Effect.fnUntraced(function* (
  place: Workplace,
  of: Entity,
  { publication, sides }: { readonly publication: PublicationOfGame; readonly sides: SidesOf }
) {
  const { session } = place
  const step = `Compare ${of.table.name}`
  yield* session.run(step, `create or replace temp table differing as ${differingSql(of, sides)}`)
  const counts = yield* session.rows(step, countDifferingSql)
  const differing = new Map(counts.map(({ items, what }) => [String(what), Number(items)]))
  const products = sides("products").is
  const ranges = of.entity === "product" ? yield* splitProducts(session, products, differing.get("added") ?? 0) : [null]
  const queries = ranges.flatMap((within) => linesSql(of, sides, { ...publication, differing, within }) ?? [])
  return Stream.fromIterable(queries).pipe(
    Stream.mapEffect((sql) => writeLines(place, step, sql)),
    // While one file is sent, the next is made.
    Stream.buffer({ capacity: 1 }),
    Stream.flatMap(readOnce)
  )
})

const lineBytes = (line: unknown): Uint8Array => new TextEncoder().encode(`${JSON.stringify(line)}\n`)

/** A backfill changes no current table. */
const backfillLines = (place: Workplace, { backfill, gameId, sequence }: PublicationOfGame) => {
  if (backfill === undefined) return Stream.empty
  const { firstDay: first_day, lastDay: last_day, ...counts } = backfill
  const item = { ...counts, first_day, last_day }
  return Stream.sync(() => {
    place.entries++
    return lineBytes({ sequence, game_id: gameId, entity: "backfill", kind: "added", item })
  })
}

/** The files that this process has compared with their records, as they were then. */
const verified = new Map<string, string>()

/** Opens a snapshot. Fails with `FileDamaged` if a file that the feed reads does not match its record. */
const openSnapshot = Effect.fnUntraced(function* (gameId: string, id: SnapshotId) {
  const snapshot = yield* readSnapshot((yield* Home).snapshot(gameId, id))
  const disk = yield* Disk
  for (const one of yield* snapshotFiles(snapshot)) {
    if (!changedTables.some(({ name }) => `${name}.parquet` === basename(one.file))) continue
    const found = disk.exists(one.file) ? disk.look(one.file) : null
    const state = [found?.inode, found?.modifiedNanos, found?.sizeBytes].join(" ")
    if (found !== null && verified.get(one.file) === state) continue
    yield* verifyKept(one)
    verified.set(one.file, state)
  }
  return snapshot
})

const publicationLines = Effect.fnUntraced(function* (place: Workplace, of: PublicationOfGame) {
  const backfilled = backfillLines(place, of)
  if (of.from === of.to) return backfilled
  const was = of.from === null ? null : yield* openSnapshot(of.gameId, of.from)
  const is = yield* openSnapshot(of.gameId, of.to)
  const sides = yield* readSides(was, is)
  const changed = Stream.fromIterable(entities).pipe(
    Stream.flatMap((entity) => Stream.unwrap(entityLines(place, entity, { publication: of, sides })))
  )
  return Stream.concat(changed, backfilled)
})

/**
 * Streams the entries of every publication after a number as lines of JSON, and as its end `{"next": M, "run": ID}`.
 * Returns a {@link Restart} if the number was never published here, or a needed snapshot was pruned: never a partial answer.
 */
export const streamChanges = Effect.fn("streamChanges")(function* ({
  games,
  maxEntries = Number.POSITIVE_INFINITY,
  run,
  since
}: ChangesSince) {
  const { newest, positionAt, publications } = yield* readPublications
  const ours = positionAt(since)
  if (since > newest.sequence) return restartAfter(newest, since)
  if (run !== undefined && run !== ours.run) {
    return restartFrom(newest, `Publication ${since} of this data directory is not the one of run ${run}`)
  }
  const wanted = publications.filter(
    ({ gameId, sequence }) => sequence > since && (games.length === 0 || games.includes(gameId))
  )
  if (since > 0 && ours.run === null) {
    return restartFrom(newest, `Publication ${since} is not in this data directory: a repair left its number out`)
  }
  for (const one of wanted) {
    if (yield* isComparable(one)) continue
    const why = `because a snapshot of ${one.gameId} that publication ${one.sequence} needs was pruned`
    return restartFrom(newest, `What changed since publication ${since} can no longer be computed, ${why}`)
  }
  const place = { session: yield* scratchSession, folder: yield* privateFolder, files: 0, entries: 0 }
  let next = since
  const bySwap = [...Map.groupBy(wanted, ({ sequence }) => sequence)]
  const ofSwap = ([sequence, games]: (typeof bySwap)[number], at: number) =>
    Stream.fromIterable(games).pipe(
      Stream.flatMap((one) => Stream.unwrap(publicationLines(place, one))),
      Stream.onEnd(Effect.sync(() => (next = at === bySwap.length - 1 ? newest.sequence : sequence)))
    )
  // The number of entries is known only when the publication before has been streamed.
  const entries = Stream.fromIterable(bySwap.entries()).pipe(
    Stream.flatMap(([at, swap]) => (place.entries < maxEntries ? ofSwap(swap, at) : Stream.empty))
  )
  const end = Stream.sync(() => lastLine(positionAt(bySwap.length === 0 ? newest.sequence : next)))
  return { _tag: "Changes" as const, newest, entries, end }
})

/** Returns the last line of an answer: where the next one begins. */
export const lastLine = ({ run, sequence }: Position): Uint8Array => lineBytes({ next: sequence, run })

/** The changes since a number, and the newest position of the home. */
export type Changes = Extract<Effect.Success<ReturnType<typeof streamChanges>>, { readonly _tag: "Changes" }>

/** The columns of an entry as a row. A column that an entry lacks is null. */
export const entryColumns = {
  sequence: "bigint",
  game_id: "varchar",
  entity: "varchar",
  id: "bigint",
  kind: "varchar",
  field: "varchar",
  table: "varchar",
  finish: "varchar",
  source: "varchar",
  region: "varchar",
  condition: "varchar",
  language: "varchar",
  currency: "varchar",
  old: "json",
  new: "json",
  item: "json"
}

export const writeTexts = Effect.fnUntraced(function* <E, R>(
  file: string,
  pieces: Stream.Stream<string | Uint8Array, E, R>
) {
  const step = `Write ${file}`
  const out = yield* Effect.acquireRelease(
    lakeStep(step, (disk) => disk.open(file, "w")),
    (opened) => Effect.promise(() => opened.close())
  )
  yield* Stream.runForEach(pieces, (piece) => lakeStep(step, () => out.write(piece)))
}, Effect.scoped)

/** Writes entries into a file, without the last line. */
export const writeChanges = Effect.fn("writeChanges")(function* (
  { entries }: Changes,
  { file, format }: { readonly file: string; readonly format: "ndjson" | "csv" | "parquet" }
) {
  const target = format === "ndjson" ? file : join(yield* privateFolder, "changes.ndjson")
  yield* writeTexts(target, entries)
  if (format === "ndjson") return
  const session = yield* scratchSession
  const types = Object.entries(entryColumns)
    .map(([name, type]) => `"${name}": '${type}'`)
    .join(", ")
  yield* session.run("Keep the order of entries", "set preserve_insertion_order = true")
  yield* session.run(
    `Write ${file}`,
    `copy (from read_ndjson(${sqlText(target)}, columns = {${types}}))
     to ${sqlText(file)} ${format === "csv" ? "(format csv, header)" : parquetFormat()}`
  )
}, Effect.scoped)
