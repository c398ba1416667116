import { Config, Context, Effect, Layer } from "effect"
import { SettingInvalid } from "../client/MarketplaceError.ts"
import { type DialectName, dialectNames } from "../contract/dialects.ts"

export const askedDialectSetting = Effect.gen(function* () {
  const name = "CARDLAKE_DIALECT"
  const text = yield* Config.String(name).pipe(Config.withDefault("auto"))
  const dialect = dialectNames.find((one) => one === text) ?? null
  return dialect === null && text !== "auto"
    ? yield* new SettingInvalid({ name, what: `is none of auto, ${dialectNames.join(", ")}` })
    : { dialect }
})

/** The words that every game is read in; null: those that its pages show. Reads `CARDLAKE_DIALECT`. */
export class AskedDialect extends Context.Service<AskedDialect, { readonly dialect: DialectName | null }>()(
  "cardlake/run/AskedDialect"
) {
  static readonly layer = Layer.effect(AskedDialect, askedDialectSetting)
}
