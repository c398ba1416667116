import { Effect, Option, Schema } from "effect"
import { type Session, sqlText } from "../../store/lake/duckdb/Lake.ts"

/** A day in a file of several. */
const JoinedDay = Schema.Struct({
  dt: Schema.String,
  /** Of the file that it came in, as the drop's state names it; null = another program wrote that one. */
  sha256: Schema.NullOr(Schema.String),
  rows: Schema.Int
})
export type JoinedDay = typeof JoinedDay.Type

const Days = Schema.fromJsonString(Schema.Array(JoinedDay))
/** Where the footer of a file of several days lists them. */
export const daysKey = "cardlake.days"
export const daysText = Schema.encodeEffect(Days)

/** The days of a file, by its own footer; counted if another program wrote it. */
export const joinedDays = Effect.fnUntraced(function* (session: Session, file: string) {
  const [told] = yield* session.rows(
    `Read the days of ${file}`,
    `select decode(value) as days from parquet_kv_metadata(${sqlText(file)}) where decode(key) = ${sqlText(daysKey)}`
  )
  const known = Schema.decodeUnknownOption(Days)(told?.["days"])
  if (Option.isSome(known)) return known.value
  const counted = yield* session.rows(
    `Count the days of ${file}`,
    `select snapshot_date::varchar as dt, count(*) as n from read_parquet(${sqlText(file)}, hive_partitioning = false)
     group by all order by all`
  )
  return counted.map(({ dt, n }): JoinedDay => ({ dt: String(dt), sha256: null, rows: Number(n) }))
})
