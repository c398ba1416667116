import { basename } from "node:path"
import { Effect, Option, Stream } from "effect"
import type { SnapshotId } from "../../../feed/contract/Ids.ts"
import { Disk } from "../../../feed/disk/Disk.ts"
import { Home } from "../../home/Home.ts"
import { readSnapshot, type SnapshotFolder } from "../../home/Manifest.ts"
import { verifyKept } from "../../home/verifyFile.ts"
import { connectionStep, type Session, scratchSession } from "../duckdb/Lake.ts"
import { snapshotFiles } from "../snapshot/snapshotFiles.ts"
import { noRows, snapshotRows } from "../snapshot/snapshotRows.ts"
import { changedTables, type Entity, entities } from "./changedTables.ts"
import { linesSql, type Sides, type SidesOf, unmatchedSql } from "./entriesSql.ts"
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

/** Which changes are wanted. */
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

/** Returns a query's only column in batches, as DuckDB makes them. */
const streamColumn = ({ connection }: Session, step: string, sql: string) =>
  Stream.unwrap(
    Effect.map(
      connectionStep(connection, step, () => connection.stream(sql)),
      (result) =>
        Stream.paginate(null, () =>
          connectionStep(connection, step, async () => {
            const chunk = await result.fetchChunk()
            if (chunk === null || chunk.rowCount === 0) return [[], Option.none<null>()] as const
            return [[chunk.getColumnValues(0) as ReadonlyArray<string>], Option.some(null)] as const
          })
        )
    )
  )

/** Returns SQL of the tables of both snapshots. */
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

/** Products per query, whose entries are sorted in memory. The whole item of an added product is large. */
const productsPerQuery = { ofAdded: 5000, ofOthers: 25_000 }

/** Returns the tables of both snapshots in ranges of products whose entries are queried together. */
const splitProducts = Effect.fnUntraced(function* (session: Session, sides: SidesOf) {
  const { is, was } = sides("products")
  const { ofAdded, ofOthers } = productsPerQuery
  const found = yield* session.rows(
    "Split the products",
    `with ids as materialized (
       select coalesce(w.product_id, i.product_id) as id, w.product_id is not null as was
       from (${was}) w full join (${is}) i on w.product_id = i.product_id
     )
     select max(id)::varchar as last from (
       select id, (row_number() over (order by id) - 1) // most as part
       from ids, (select if(count(*) filter (not was) > ${ofAdded}, ${ofAdded}, ${ofOthers}) as most from ids)
     ) group by part order by part`
  )
  return found.map(({ last }, at): SidesOf => {
    const from = at === 0 ? "true" : `product_id > ${String(found[at - 1]?.["last"])}`
    const within = (rows: string) => `from (${rows}) where ${from} and product_id <= ${String(last)}`
    return (table) => ({ ...sides(table), was: within(sides(table).was), is: within(sides(table).is) })
  })
})

/** The lines of one entity's entries. */
const entityLines = Effect.fnUntraced(function* (
  session: Session,
  of: Entity,
  { publication, sides }: { readonly publication: PublicationOfGame; readonly sides: SidesOf }
) {
  const ranges = of.entity === "product" ? yield* splitProducts(session, sides) : [sides]
  return Stream.fromIterable(ranges).pipe(
    Stream.flatMap((range) => {
      const sql = linesSql(of, range, publication)
      if (sql === null) return Stream.empty
      const table = `create or replace temp table unmatched as ${unmatchedSql(of, range(of.table.name))}`
      return Stream.fromEffectDrain(session.run("List what one side lacks", table)).pipe(
        Stream.concat(streamColumn(session, `Compare ${of.table.name}`, sql))
      )
    })
  )
})

/** A backfill changes no current table. */
const backfillLines = ({ backfill, gameId, sequence }: PublicationOfGame) => {
  if (backfill === undefined) return Stream.empty
  const { firstDay: first_day, lastDay: last_day, ...counts } = backfill
  const item = { ...counts, first_day, last_day }
  return Stream.make([JSON.stringify({ sequence, game_id: gameId, entity: "backfill", kind: "added", item })])
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

/** The lines of one publication of a game. */
const publicationLines = Effect.fnUntraced(function* (session: Session, of: PublicationOfGame) {
  const backfilled = backfillLines(of)
  if (of.from === of.to) return backfilled
  const was = of.from === null ? null : yield* openSnapshot(of.gameId, of.from)
  const is = yield* openSnapshot(of.gameId, of.to)
  const sides = yield* readSides(was, is)
  const changed = Stream.fromIterable(entities).pipe(
    Stream.flatMap((entity) => Stream.unwrap(entityLines(session, entity, { publication: of, sides })))
  )
  return Stream.concat(changed, backfilled)
})

/**
 * Streams the entries of every publication after a number, as batches of lines of JSON, and at last `{"next": M, "run": ID}`.
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
  const session = yield* scratchSession
  let entries = 0
  let next = since
  const bySwap = [...Map.groupBy(wanted, ({ sequence }) => sequence)]
  const ofSwap = ([sequence, games]: (typeof bySwap)[number], at: number) =>
    Stream.fromIterable(games).pipe(
      Stream.flatMap((one) => Stream.unwrap(publicationLines(session, one))),
      Stream.tap((lines) => Effect.sync(() => (entries += lines.length))),
      Stream.onEnd(Effect.sync(() => (next = at === bySwap.length - 1 ? newest.sequence : sequence)))
    )
  // The number of entries is known only when the publication before has been streamed.
  const changes = Stream.fromIterable(bySwap.entries()).pipe(
    Stream.flatMap(([at, swap]) => (entries < maxEntries ? ofSwap(swap, at) : Stream.empty))
  )
  const end = Stream.sync(() => [lastLine(positionAt(bySwap.length === 0 ? newest.sequence : next))])
  return { _tag: "Changes" as const, newest, lines: Stream.concat(changes, end) }
})

/** Returns the last line of an answer: where the next one begins. */
export const lastLine = ({ run, sequence }: Position): string => JSON.stringify({ next: sequence, run })

/** The changes since a number, and the newest position of the home. */
export type Changes = Extract<Effect.Success<ReturnType<typeof streamChanges>>, { readonly _tag: "Changes" }>
