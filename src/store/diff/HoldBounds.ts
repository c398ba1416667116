import { Config, ConfigProvider, Context, Effect, Layer, Option, Schema } from "effect"
import { checkedByDoctor, messageText } from "../../feed/contract/NextStep.ts"

/** Maximum shares by rule, above which a snapshot is held: 0.05 is 5 %. Design: decisions 4 and 8. */
export type Bounds = Readonly<Record<string, number>>

export const boundSetting = (bound: string): string => `CARDLAKE_HOLD_${bound.toUpperCase()}`

/** The value of a bound's setting is not a share. */
export class BoundUnreadable extends Schema.TaggedError<BoundUnreadable>()("BoundUnreadable", {
  name: Schema.String,
  value: Schema.String
}) {
  get parts() {
    const advice = "Set it to a number from 0 to 1, such as 0.05 for 5 %"
    return checkedByDoctor(`${this.name} is "${this.value}", which is not a share`, advice, ", then check with")
  }

  override get message() {
    return messageText(this.parts)
  }
}

const isShare = Schema.isBetween({ minimum: 0, maximum: 1 })
const share = Schema.decodeUnknownOption(Schema.FiniteFromString.check(isShare))

/** Returns the suffix of a game's settings: `one-piece` gives `__ONE_PIECE`. */
export const settingSuffix = (gameId: string): string => `__${gameId.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`

/** Returns the bound in a setting; null if it is not set. */
export const readBound = Effect.fnUntraced(function* (name: string) {
  const value = Option.getOrNull(yield* Config.option(Config.String(name)))
  return value === null ? null : (Option.getOrNull(share(value)) ?? (yield* new BoundUnreadable({ name, value })))
})

/** Bounds from a setting per rule, e.g. `CARDLAKE_HOLD_REFUSED`; `__` and a game's id in capitals limits it. */
export class HoldBounds extends Context.Service<
  HoldBounds,
  {
    readonly read: (
      rule: string,
      preset: number,
      gameId: string
    ) => Effect.Effect<number, BoundUnreadable | Config.ConfigError>
  }
>()("cardlake/diff/HoldBounds") {
  static readonly layer = Layer.effect(
    HoldBounds,
    Effect.gen(function* () {
      const provider = yield* ConfigProvider.ConfigProvider
      const read = Effect.fnUntraced(function* (rule: string, preset: number, gameId: string) {
        for (const name of [`${boundSetting(rule)}${settingSuffix(gameId)}`, boundSetting(rule)]) {
          const value = yield* Effect.provideService(readBound(name), ConfigProvider.ConfigProvider, provider)
          if (value !== null) return value
        }
        return preset
      })
      return HoldBounds.of({ read })
    })
  )
}
