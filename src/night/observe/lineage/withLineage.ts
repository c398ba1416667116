import { scrubbing, nightWarning } from "../Observation.ts"
import { Cause, Config, DateTime, Duration, Effect, Exit, Fiber, Option, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { webAddressFault } from "../../../feed/contract/SettingInvalid.ts"
import { scrubbed } from "../../../feed/client/scrub.ts"
import { postJson } from "../postJson.ts"
import { runEvent, type LineageRun, type LineageState } from "./runEvent.ts"

/** The receiver of events, with OpenLineage's standard variables. Without an address no event is sent. */
const settings = Config.all({
  url: Config.String("OPENLINEAGE_URL").pipe(Config.withDefault("")),
  token: Config.option(Config.Redacted("OPENLINEAGE_API_KEY")),
  namespace: Config.String("OPENLINEAGE_NAMESPACE").pipe(Config.withDefault("cardlake"))
})

/** Inputs and outputs of a finished run, and the reason if it failed anyway. */
export type LineageEnd = Pick<LineageState, "inputs" | "outputs" | "reason">

/** An unreachable receiver delays the end of a night by little more than this. */
const bounds = { retries: 2, allAtMost: Duration.seconds(3) }

const nothing = { inputs: [], outputs: [], reason: null } as const

const settingsOrNone = Effect.gen(function* () {
  const { namespace, token, url } = yield* settings
  if (url.trim() === "") return Option.none()
  const fault = webAddressFault(url)
  const key = Option.getOrNull(Option.map(token, (text) => Redacted.make(Redacted.value(text).trim())))
  const isSendable = key === null || /^[\x21-\x7e]+$/.test(Redacted.value(key))
  if (fault === null && isSendable) return Option.some({ namespace, token: key, address: new URL(url) })
  const what = fault === null ? "OPENLINEAGE_API_KEY has characters that a key cannot have" : `OPENLINEAGE_URL ${fault}`
  yield* nightWarning("lineage", `No lineage is sent: ${what}. The run continues`)
  return Option.none()
})

/** Reports begin and end of a run to `OPENLINEAGE_URL`. Never delays or fails it; failures are warnings. */
export const withLineage = Effect.fnUntraced(function* <A, E, R, E2, R2>(
  job: string,
  work: Effect.Effect<A, E, R>,
  endOf: (value: A) => Effect.Effect<LineageEnd, E2, R2>
) {
  const receiver = yield* settingsOrNone
  if (Option.isNone(receiver)) return yield* work
  const { address, namespace, token } = receiver.value
  const scrub = yield* scrubbing
  const run: LineageRun = { namespace, job, runId: randomUUID() }
  const to = Redacted.make(new URL("api/v1/lineage", address.href.replace(/\/*$/, "/")).href)
  const send = Effect.fnUntraced(function* (state: Omit<LineageState, "eventTime">) {
    const eventTime = DateTime.formatIso(yield* DateTime.now)
    const event = scrubbed(scrub, runEvent(run, { ...state, eventTime }))
    yield* postJson(to, event, { token, ...bounds }).pipe(
      Effect.catch(({ message }) =>
        nightWarning("lineage", `The lineage of ${job} did not reach ${message}. The run itself continues`)
      )
    )
  })
  const begun = yield* Effect.forkChild(send({ ...nothing, eventType: "START" }))
  return yield* Effect.onExit(
    work,
    Effect.fnUntraced(function* (exit) {
      yield* Fiber.join(begun)
      if (Exit.isSuccess(exit)) {
        const end = yield* Effect.orElseSucceed(endOf(exit.value), () => nothing)
        return yield* send({ ...end, eventType: end.reason === null ? "COMPLETE" : "FAIL" })
      }
      if (Cause.hasInterruptsOnly(exit.cause)) return yield* send({ ...nothing, eventType: "ABORT" })
      const error = Cause.squash(exit.cause)
      const reason = error instanceof Error ? error.message : String(error)
      yield* send({ ...nothing, eventType: "FAIL", reason })
    })
  )
})
