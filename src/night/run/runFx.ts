import { DateTime, Effect, Layer, Schedule, Schema } from "effect"
import { onDisk } from "../../feed/disk/Disk.ts"
import { HttpClient, HttpClientError } from "effect/http"
import { SettingInvalid, webAddressFault } from "../../feed/contract/SettingInvalid.ts"
import { largestBodyBytes } from "../../feed/client/RawBody.ts"
import { webClient } from "../../feed/client/webClient.ts"
import { loadRates } from "../../store/lake/fx/loadRates.ts"
import { publish } from "../../store/lake/publish/publish.ts"
import { beginRun } from "./beginRun.ts"

/** The exchange rates could not be read from their source. */
export class RatesUnreadable extends Schema.TaggedError<RatesUnreadable>()("RatesUnreadable", {
  source: Schema.String,
  cause: Schema.String
}) {
  override get message() {
    return `The exchange rates at ${this.source} cannot be read (${this.cause}). Check the address or the file; what was loaded before is still there`
  }
}

const download = (url: string) =>
  Effect.gen(function* () {
    const client = (yield* HttpClient.HttpClient).pipe(
      HttpClient.filterStatusOk,
      HttpClient.retryTransient({ schedule: Schedule.exponential("500 millis"), times: 3 })
    )
    const response = yield* client.get(url)
    return yield* response.text
  }).pipe(
    Effect.timeout("60 seconds"),
    (request) =>
      Effect.flatMap(Layer.build(webClient(largestBodyBytes)), (context) => Effect.provideContext(request, context)),
    Effect.scoped,
    Effect.mapError((error) => new RatesUnreadable({ source: withoutSecrets(url), cause: causeText(error) }))
  )

/** Describes an error without the request, whose address may contain a key. */
const causeText = (error: unknown): string => {
  if (error instanceof SettingInvalid) return error.message
  if (!HttpClientError.isHttpClientError(error)) return "no answer within a minute"
  if (error.response !== undefined && error.reason._tag === "StatusCodeError") {
    return `it answered ${error.response.status}`
  }
  const { cause } = error.reason
  return cause instanceof Error && cause.message !== "" ? cause.message.slice(0, 200) : "no connection"
}

/** Removes user, password and query from an address, because they may contain a key. */
const withoutSecrets = (source: string): string => {
  if (!URL.canParse(source)) return /^https?:/i.test(source) ? "that address" : source
  const { host, pathname, protocol } = new URL(source)
  return `${protocol}//${host}${pathname}`
}

/** Loads exchange rates from a file or an address and publishes them. Before the first night they are only stored. */
export const runFx = Effect.fn("runFx")(function* (source: string) {
  const fault = /^https?:/i.test(source) ? webAddressFault(source) : null
  if (fault !== null)
    return yield* new RatesUnreadable({ source: withoutSecrets(source), cause: `its address ${fault}` })
  const begun = yield* beginRun("fx")
  const text = yield* /^https?:\/\//.test(source)
    ? download(source)
    : onDisk(
        (disk) => disk.readText(source),
        (cause) => new RatesUnreadable({ source, cause: cause instanceof Error ? cause.message : String(cause) })
      )
  const loaded = yield* loadRates(begun.run, {
    source: withoutSecrets(source),
    text,
    loadedAt: DateTime.formatIso(yield* DateTime.now)
  })
  yield* publish(begun.run, begun.current, { ...begun.lock, stopped: begun.stopped })
  return { ...loaded, isInLake: Object.keys(begun.current.games).length > 0 }
}, Effect.scoped)
