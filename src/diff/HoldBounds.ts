import { Config, ConfigProvider, Context, Effect, Layer, Option, Schema } from "effect"

/** Bounds beyond which a snapshot is kept but not published. Shares, 0.05 is 5 %. Design: decisions 4 and 8. */
export interface Bounds {
  /** Of the game's products: those that disappear without the changelog saying so. */
  readonly removed: number
  /** Of the game's records: those that the contract refuses. */
  readonly refused: number
  /** Of the game's products: by how much fewer of them may have a price of a source than before. */
  readonly coverage: number
}

export const defaultBounds: Bounds = { removed: 0.05, refused: 0.01, coverage: 0.2 }

const nameOf = (bound: keyof Bounds): string => `CARDLAKE_HOLD_${bound.toUpperCase()}`

/** A bound is set to what is not a share. */
export class BoundUnreadable extends Schema.TaggedError<BoundUnreadable>()("BoundUnreadable", {
  name: Schema.String,
  value: Schema.String
}) {
  override get message() {
    return `${this.name} is "${this.value}", which is not a share. Set it to a number from 0 to 1: 0.05 is 5 %`
  }
}

const isShare = Schema.isBetween({ minimum: 0, maximum: 1 })
const share = Schema.decodeUnknownOption(Schema.FiniteFromString.check(isShare))

/** What a game's own setting ends in: `one-piece` gives `__ONE_PIECE`. */
const suffix = (gameId: string): string => `__${gameId.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`

/**
 * The bounds of every game, from `CARDLAKE_HOLD_REMOVED`, `CARDLAKE_HOLD_REFUSED` and `CARDLAKE_HOLD_COVERAGE`.
 * A setting that ends in `__` and a game's id in capitals is for that game alone.
 */
export class HoldBounds extends Context.Service<
  HoldBounds,
  { readonly of: (gameId: string) => Effect.Effect<Bounds, BoundUnreadable | Config.ConfigError> }
>()("cardlake/diff/HoldBounds") {
  static readonly layer = Layer.effect(
    HoldBounds,
    Effect.gen(function* () {
      const provider = yield* ConfigProvider.ConfigProvider
      const read = Effect.fnUntraced(function* (bound: keyof Bounds, gameId: string) {
        for (const name of [`${nameOf(bound)}${suffix(gameId)}`, nameOf(bound)]) {
          const value = Option.getOrNull(yield* Config.option(Config.String(name)).parse(provider))
          if (value === null) continue
          const decoded = Option.getOrNull(share(value))
          return decoded ?? (yield* new BoundUnreadable({ name, value }))
        }
        return defaultBounds[bound]
      })
      return HoldBounds.of({
        of: (gameId) =>
          Effect.all({
            removed: read("removed", gameId),
            refused: read("refused", gameId),
            coverage: read("coverage", gameId)
          })
      })
    })
  )
}
