import { Effect } from "effect"
import { type Session, sqlText } from "../../store/lake/duckdb/Lake.ts"
import { nightTables, type pastTables } from "../../store/lake/history/pastTables.ts"
import type { Night } from "../../store/lake/history/nights.ts"
import type { DropNight } from "./Drop.ts"
import { dropNights, dropReusedIds, expansionLanguages, type ExportTable } from "./exportTables.ts"
import type { Reading } from "./gameHistory.ts"
import type { NightSelect } from "./stagePartition.ts"

/** A table's rows of some nights, with the home's recorded number of rows; null = not counted. */
export interface Gathered {
  readonly selects: ReadonlyArray<NightSelect>
  readonly expectedRows: number | null
  /** True if one of the nights was pruned, so that these rows come from the history. */
  readonly isFromHistory: boolean
}

const withIsListed = (rows: string, finishes: string | null): string =>
  finishes === null
    ? `select *, null::boolean as is_listed from (${rows})`
    : `select *, (product_id, finish) in (select product_id, finish from (${finishes})) as is_listed from (${rows})`

/** A night, opened once for all its tables. */
export interface OpenNight {
  readonly night: Night
  readonly read: Effect.Success<ReturnType<typeof nightTables>>
  readonly past: ReturnType<typeof pastTables>
}

export const openNights = (nights: ReadonlyArray<Night>, past: OpenNight["past"]) =>
  Effect.forEach(nights, (night) => Effect.map(nightTables(night), (read): OpenNight => ({ night, read, past })))

/** Returns the night's rows; those of a pruned night come from the history, null if it has none. */
const readRows = Effect.fnUntraced(function* ({ night, past, read }: OpenNight, table: string) {
  const own = yield* read(table)
  if (own !== null) return { ...own, isFromHistory: false }
  const sql = yield* past(night, table)
  return sql === null ? null : { sql, rows: null, sortedFile: null, isFromHistory: true }
})

/** Returns a night's rows of an export's table; null if they are no longer in the home. */
const ofNight = Effect.fnUntraced(function* (table: ExportTable, night: OpenNight) {
  if (table.name === dropReusedIds.name) {
    const sql = `select * exclude (snapshot) from (${dropReusedIds.query}) where snapshot = ${sqlText(night.night.snapshot)}`
    return { sql, rows: null, sortedFile: null, isFromHistory: false }
  }
  if (table.name === expansionLanguages.name) {
    const expansions = yield* readRows(night, "expansions")
    if (expansions === null) return null
    return {
      ...expansions,
      sql: `with expansions as (${expansions.sql}) ${expansionLanguages.sql}`,
      rows: null,
      sortedFile: null
    }
  }
  const own = yield* readRows(night, table.name)
  if (own === null || !table.columns.some(({ lakeName }) => lakeName === "is_listed")) return own
  const finishes = yield* readRows(night, "product_finishes")
  // A join does not preserve the order.
  return { ...own, sql: withIsListed(own.sql, finishes?.sql ?? null), sortedFile: null }
})

/** Returns a table's rows of these nights; null if those of one are no longer in the home. */
export const gatherTable = Effect.fnUntraced(function* (table: ExportTable, nights: ReadonlyArray<OpenNight>) {
  const selects: Array<NightSelect> = []
  let expectedRows: number | null = 0
  let isFromHistory = false
  for (const one of nights) {
    const { night } = one
    const found = yield* ofNight(table, one)
    if (found === null) return null
    selects.push({ snapshot: night.snapshot, seenAt: night.seenAt, sql: found.sql, sortedFile: found.sortedFile })
    expectedRows = found.rows === null || expectedRows === null ? null : expectedRows + found.rows
    isFromHistory ||= found.isFromHistory
  }
  return { selects, expectedRows, isFromHistory } satisfies Gathered
})

export const readingsSelects = (gameId: string, readings: ReadonlyArray<Reading>): Gathered => ({
  selects: readings.map(({ isConfirmation, seenAt, snapshot }) => ({
    snapshot,
    seenAt,
    sql: `select ${sqlText(gameId)} as game_id, ${isConfirmation} as is_confirmation`,
    sortedFile: null
  })),
  expectedRows: readings.length,
  isFromHistory: false
})

export const nightsSelects = Effect.fnUntraced(function* (
  session: Session,
  gameId: string,
  nights: ReadonlyArray<Night>,
  takenBack: ReadonlyArray<DropNight>
) {
  const rows = [
    ...nights.map((night) => ({ ...night, counts: true })),
    ...takenBack.map((night) => ({ ...night, counts: false, place: null, follows: null }))
  ]
  yield* session.set({
    drop_nights: JSON.stringify(
      rows.map(({ counts, deployedAt, deploymentId, follows, place, snapshot }) => ({
        game_id: gameId,
        night: snapshot,
        counts,
        place,
        follows,
        deployment_id: deploymentId,
        deployed_at: deployedAt
      }))
    )
  })
  return {
    selects: rows.map(({ seenAt, snapshot }) => ({
      snapshot,
      seenAt,
      sql: `select * exclude (night) from (${dropNights.sql}) where night = ${sqlText(snapshot)}`,
      sortedFile: null
    })),
    expectedRows: rows.length,
    isFromHistory: false
  } satisfies Gathered
})
