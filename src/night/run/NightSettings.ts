import { Config, Context, Effect, Layer, Clock, Duration, Option, Schema } from "effect"
import { SettingInvalid } from "../../feed/contract/SettingInvalid.ts"
import { Via } from "../../feed/contract/Via.ts"
import { durationOf } from "./durationOf.ts"

/** How games are to be read; `auto`: each as it was read for what is published, a new one by feed files where there are any. */
export const viaChoices = ["auto", ...Via.literals] as const

export const viaSetting = Effect.gen(function* () {
  const name = "CARDLAKE_VIA"
  const text = yield* Config.String(name).pipe(Config.withDefault("auto"))
  const via = viaChoices.find((one) => one === text)
  return via === undefined ? yield* new SettingInvalid({ name, what: `is none of ${viaChoices.join(", ")}` }) : { via }
})

/** Reads `CARDLAKE_VIA`. */
export class ViaSetting extends Context.Service<ViaSetting, { readonly via: (typeof viaChoices)[number] }>()(
  "cardlake/run/AskedVia"
) {
  static readonly layer = Layer.effect(ViaSetting, viaSetting)
}

/** The night reached its bound before everything was read. */
export class NightTooLong extends Schema.TaggedError<NightTooLong>()("NightTooLong", {
  bound: Schema.String,
  reading: Schema.String
}) {
  override get message() {
    return `The night reached its bound of ${this.bound} while reading ${this.reading}. The pages read are kept, and a night that starts within six hours of the first of them continues with them. Run it again: cardlake nightly; or allow it more time with --at-most`
  }
}

export const nightBoundSetting = Effect.gen(function* () {
  const name = "CARDLAKE_AT_MOST"
  const text = yield* Config.String(name).pipe(Config.withDefault("6h"))
  const duration = Option.getOrNull(durationOf(text))
  return duration === null
    ? yield* new SettingInvalid({ name, what: 'is not a duration such as 6h or "90 minutes"' })
    : { duration }
})

/** How long a night may read, waits included; what was read by then is still published. Reads `CARDLAKE_AT_MOST`. */
export class NightBound extends Context.Service<NightBound, { readonly duration: Duration.Duration }>()(
  "cardlake/run/NightBound"
) {
  static readonly layer = Layer.effect(NightBound, nightBoundSetting)
}

/** Reads until the bound of a night that began at `startedMillis`. `reading` says what was being read at the end. */
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
    orElse: () => Effect.fail(new NightTooLong({ bound, reading: reading() }))
  })
})

/** Until when a night that began at `startedMillis` waits for feed files that lag: what they show has to be read, too. */
export const lastWaitMillis = (startedMillis: number) =>
  Effect.map(NightBound, ({ duration }) => startedMillis + Duration.toMillis(duration) * 0.75)

/** How long a night waits: for feed files that lag behind the changelog, and for a load that is tried. */
export interface NightPatience {
  /** How often lagging feed files are looked at, and how long apart. */
  readonly looks: number
  readonly everyMillis: number
  /** How long a trial may take; no other game is loaded meanwhile. */
  readonly trial: Duration.Duration
}
export const NightPatience = Context.Reference<NightPatience>("cardlake/run/NightPatience", {
  defaultValue: () => ({ looks: 3, everyMillis: 120_000, trial: Duration.minutes(30) })
})
