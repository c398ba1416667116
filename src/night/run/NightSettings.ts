import { Config, Context, Effect, Layer, Clock, Duration, Option } from "effect"
import { Fault } from "../../feed/contract/Fault.ts"
import { SettingInvalid } from "../../feed/contract/SettingInvalid.ts"
import { Via } from "../../feed/contract/Via.ts"
import { parseDuration } from "./parseDuration.ts"

/** The source of games: `auto` uses that of the published reading, and for new games feed files if available. */
export const viaChoices = ["auto", ...Via.literals] as const

export const viaSetting = Effect.gen(function* () {
  const name = "CARDLAKE_VIA"
  const text = yield* Config.String(name).pipe(Config.withDefault("auto"))
  const via = viaChoices.find((one) => one === text)
  return via === undefined
    ? yield* new SettingInvalid({ name, what: `is ${JSON.stringify(text)}, none of ${viaChoices.join(", ")}` })
    : { via }
})

export class ViaSetting extends Context.Service<ViaSetting, { readonly via: (typeof viaChoices)[number] }>()(
  "cardlake/run/AskedVia"
) {
  static readonly layer = Layer.effect(ViaSetting, viaSetting)
}

export const nightBoundSetting = Effect.gen(function* () {
  const name = "CARDLAKE_AT_MOST"
  const text = yield* Config.String(name).pipe(Config.withDefault("6h"))
  const duration = Option.getOrNull(parseDuration(text))
  return duration === null
    ? yield* new SettingInvalid({ name, what: `is ${JSON.stringify(text)}, not a duration such as 6h or "90 minutes"` })
    : { duration }
})

/** Max reading time of a night, including waits. Games read by then are published. Reads `CARDLAKE_AT_MOST`. */
export class NightBound extends Context.Service<NightBound, { readonly duration: Duration.Duration }>()(
  "cardlake/run/NightBound"
) {
  static readonly layer = Layer.effect(NightBound, nightBoundSetting)
}

/** Reads until the time limit of a night that began at `startedMillis`. `reading` names the unfinished work. */
export const untilBound = Effect.fnUntraced(function* <A, E, R>(
  startedMillis: number,
  read: Effect.Effect<A, E, R>,
  reading: () => string
) {
  const { duration } = yield* NightBound
  const left = startedMillis + Duration.toMillis(duration) - (yield* Clock.currentTimeMillis)
  const bound = Duration.format(duration)
  return yield* Effect.timeoutOrElse(read, {
    duration: Math.max(0, left),
    orElse: () =>
      Effect.fail(
        new Fault(
          "NightTooLong",
          `The night reached its time limit of ${bound} while reading ${reading()}. The pages are stored, and a night within six hours of the first one resumes. Run it again: cardlake nightly; or allow more time with --at-most`
        )
      )
  })
})

/** Returns the latest time to wait for lagging feed files, which leaves time to read them. */
export const lastWaitMillis = (startedMillis: number) =>
  Effect.map(NightBound, ({ duration }) => startedMillis + Duration.toMillis(duration) * 0.75)

/** How long a night waits for feed files that lag behind the changelog, and for a trial load. */
export interface NightPatience {
  /** Number and interval of checks of lagging feed files. */
  readonly looks: number
  readonly everyMillis: number
  /** Max duration of a trial. No other game is loaded meanwhile. */
  readonly trial: Duration.Duration
}
export const NightPatience = Context.Reference<NightPatience>("cardlake/run/NightPatience", {
  defaultValue: () => ({ looks: 3, everyMillis: 120_000, trial: Duration.minutes(30) })
})
