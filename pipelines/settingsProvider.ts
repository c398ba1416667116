import { existsSync } from "node:fs"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"

/** Where settings come from: flags, then the environment, then `.env` of the present folder. */
export const settingsProvider = (flags: Record<string, string>) =>
  Effect.gen(function* () {
    const settings = ConfigProvider.fromUnknown(flags).pipe(ConfigProvider.orElse(ConfigProvider.fromEnv()))
    return existsSync(".env") ? settings.pipe(ConfigProvider.orElse(yield* ConfigProvider.fromDotEnv())) : settings
  })
