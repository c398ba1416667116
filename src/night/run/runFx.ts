import { Clock, DateTime, Effect, Layer, Schedule } from "effect"
import { onDisk } from "../../feed/disk/Disk.ts"
import { HttpClient } from "effect/http"
import { Fault } from "../../feed/contract/Fault.ts"
import { webAddressFault } from "../../feed/contract/SettingInvalid.ts"
import { maxBodyBytes } from "../../feed/client/RawBody.ts"
import { webClient } from "../../feed/client/webClient.ts"
import type { RunId } from "../../feed/contract/Ids.ts"
import { unpackZip } from "../../feed/guard/unpack.ts"
import { loadRates, readLoadedRates } from "../../store/lake/fx/loadRates.ts"
import { ageText } from "../observe/figureTexts.ts"
import { causeText } from "../observe/postJson.ts"
import { nightEvent, nightWarning } from "../observe/Observation.ts"
import { publishLake, beginRun } from "./beginRun.ts"

const unreadable = (source: string, cause: string) =>
  new Fault(
    "RatesUnreadable",
    `The exchange rates at ${source} cannot be read (${cause}). Check the address or the file; what was loaded before is still there`
  )

const download = (url: string) =>
  Effect.gen(function* () {
    const client = (yield* HttpClient.HttpClient).pipe(
      HttpClient.filterStatusOk,
      HttpClient.retryTransient({ schedule: Schedule.exponential("500 millis"), times: 3 })
    )
    const response = yield* client.get(url)
    return Buffer.from(yield* response.arrayBuffer)
  }).pipe(
    Effect.timeout("60 seconds"),
    (request) =>
      Effect.flatMap(Layer.build(webClient(maxBodyBytes)), (context) => Effect.provideContext(request, context)),
    Effect.scoped,
    Effect.mapError((error) => unreadable(withoutSecrets(url), causeText(error, "a minute", false)))
  )

/** Removes user, password and query from an address, because they may contain a key. */
const withoutSecrets = (source: string): string => {
  if (!URL.canParse(source)) return /^https?:/i.test(source) ? "that address" : source
  const { host, pathname, protocol } = new URL(source)
  return `${protocol}//${host}${pathname}`
}

/** Reads a CSV, or the zip archive of one, from a file or an address, and merges its rates into the home's. */
const readRates = Effect.fnUntraced(function* (run: RunId, source: string) {
  const isAddress = /^https?:/i.test(source)
  const fault = isAddress ? webAddressFault(source) : null
  if (fault !== null) return yield* unreadable(withoutSecrets(source), `its address ${fault}`)
  const bytes = yield* isAddress
    ? download(source)
    : onDisk(
        (disk) => disk.read(source),
        (cause) => unreadable(source, cause instanceof Error ? cause.message : String(cause))
      )
  const shown = withoutSecrets(source)
  const text = yield* Effect.try({
    try: () => unpackZip(bytes, maxBodyBytes).toString(),
    catch: (cause) => unreadable(shown, cause instanceof Error ? cause.message : "no zip")
  })
  return yield* loadRates(run, { source: shown, text, loadedAt: DateTime.formatIso(yield* DateTime.now) })
})

/** Returns the loaded rates if they were loaded on this day (UTC), else null. */
const ratesOfToday = Effect.gen(function* () {
  const loaded = yield* readLoadedRates
  const day = (millis: number) => new Date(millis).toISOString().slice(0, 10)
  return loaded !== null && day(loaded.loadedMillis) === day(yield* Clock.currentTimeMillis) ? loaded : null
})

/** Loads exchange rates and publishes them, or stores them before the first night. `isDaily`: once a day. */
export const runFx = Effect.fn("runFx")(function* (source: string, isDaily = false) {
  const begun = yield* beginRun("fx")
  const isInLake = Object.keys(begun.current.games).length > 0
  const today = isDaily ? yield* ratesOfToday : null
  if (today !== null) {
    const { loadedMillis: _, ...loaded } = today
    return { ...loaded, isInLake, isNew: false }
  }
  const loaded = yield* readRates(begun.run, source)
  yield* publishLake(begun.run, begun.current, { ...begun.lock, stopped: begun.stopped })
  return { ...loaded, isInLake, isNew: true }
}, Effect.scoped)

/**
 * Loads the exchange rates of a night, unless rates were loaded today. A failure is a warning with the age of the rates
 * that remain, and is returned for the report; null if there is none.
 */
export const loadNightRates = Effect.fn("loadNightRates")(
  function* (run: RunId, source: string) {
    if ((yield* ratesOfToday) === null) yield* nightEvent("rates", { run, ...(yield* readRates(run, source)) })
    return null
  },
  Effect.catch(({ message }) =>
    Effect.gen(function* () {
      const old = yield* Effect.orElseSucceed(readLoadedRates, () => null)
      const now = yield* Clock.currentTimeMillis
      const age =
        old === null
          ? "No rates are loaded"
          : `The newest rates are those of ${old.to}, ${ageText(now - Date.parse(old.to))} old`
      yield* nightWarning("rates", `The night continues without new exchange rates. ${message}. ${age}`)
      return message
    })
  )
)
