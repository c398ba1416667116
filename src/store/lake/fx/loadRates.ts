import { createHash } from "node:crypto"
import { join } from "node:path"
import { Effect, Result } from "effect"
import { Fault } from "../../../feed/contract/Fault.ts"
import type { RunId } from "../../../feed/contract/Ids.ts"
import { Home } from "../../home/Home.ts"
import { Lake, sqlText, parquetFormat } from "../duckdb/Lake.ts"
import { isThere, writeWhole, replaceSummed, sumsFile, verifySummed } from "../../home/disk.ts"
import { ownText } from "../../../feed/disk/ownText.ts"
import { setAside } from "../../home/setAside.ts"

const counts =
  "count(*)::integer as rates, count(distinct currency)::integer as currencies, min(day)::varchar as first, max(day)::varchar as last"

/** Describes rates by a row of {@link counts}. */
const describeRates = (source: string, row: Readonly<Record<string, unknown>>) => ({
  source,
  currencies: Number(row["currencies"]),
  rates: Number(row["rates"]),
  from: String(row["first"]),
  to: String(row["last"])
})

/** The text is not the European Central Bank's CSV of exchange rates. Nothing was loaded. */
const invalid = (source: string, what: string) =>
  new Fault(
    "RatesInvalid",
    `${source} has ${what}, so none of its rates were loaded. Use the European Central Bank's CSV of euro reference rates, unzipped: a header Date,USD,JPY,…, then one line per day`
  )

/** Merges the rates of a CSV into the home's; a rate replaces that of the same day and currency. */
export const loadRates = Effect.fn("loadRates")(function* (
  run: RunId,
  { loadedAt, source, text }: Record<"loadedAt" | "source" | "text", string>
) {
  const home = yield* Home
  const session = yield* (yield* Lake).session
  if (!/^\uFEFF?\s*"?Date"?\s*,/.test(text)) return yield* invalid(source, "no header that begins with Date")
  const csv = join(home.work(run), "rates.csv")
  yield* writeWhole(csv, text)
  yield* session.set({
    rates_file: csv,
    rates_source: source,
    rates_sha256: createHash("sha256").update(text).digest("hex"),
    loaded_at: loadedAt
  })
  yield* session.run("Read the rates", ownText(new URL("./rates.sql", import.meta.url)))
  const [fault] = yield* session.rows(
    "Check the rates",
    "select line::integer as line, currency, day_text, rate_text, fault from loaded_rates where fault is not null order by line limit 1"
  )
  if (fault !== undefined) {
    const { currency, day_text, line, rate_text } = fault
    return yield* invalid(
      source,
      `${String(fault["fault"])} (line ${line}, day ${day_text}, ${currency}: ${rate_text})`
    )
  }
  const [found] = yield* session.rows("Count the rates", `select ${counts} from loaded_rates`)
  if (found === undefined || Number(found["rates"]) === 0) return yield* invalid(source, "no rates")
  const old = yield* Effect.result(verifySummed(home.rates))
  if (Result.isFailure(old)) {
    yield* Effect.logWarning(`The earlier rates are set aside and not used. ${old.failure.message}`)
    yield* setAside(
      run,
      [home.rates, sumsFile(home.rates)].filter((file) => isThere(file))
    )
  }
  const before = isThere(home.rates)
    ? `union all by name select *, 1 as age from read_parquet(${sqlText(home.rates)})`
    : ""
  yield* session.run(
    "Write the rates",
    `copy (
       select distinct on (currency, day) * exclude (age) from (
         select currency, day, rate, getvariable('rates_source') as source, getvariable('loaded_at')::timestamptz as loaded_at,
           getvariable('rates_sha256') as sha256, 0 as age
         from loaded_rates ${before}
       ) order by currency, day, age
     ) to ${sqlText(`${home.rates}.part`)} ${parquetFormat()}`
  )
  yield* replaceSummed(`${home.rates}.part`, home.rates)
  return describeRates(source, found)
}, Effect.scoped)

/** Returns what is loaded, and when the newest rates were loaded; null if nothing is. */
export const readLoadedRates = Effect.gen(function* () {
  const { rates } = yield* Home
  if (!isThere(rates)) return null
  yield* verifySummed(rates)
  const [found = {}] = yield* (yield* (yield* Lake).session).rows(
    "Read the age of the rates",
    `select max_by(source, loaded_at) as source, epoch_ms(max(loaded_at))::double as loaded, ${counts}
     from read_parquet(${sqlText(rates)})`
  )
  return { ...describeRates(String(found["source"]), found), loadedMillis: Number(found["loaded"]) }
}).pipe(Effect.scoped)
