import { existsSync } from "node:fs"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The `.env` is a folder, or another user's. */
class DotEnvUnreadable extends Schema.TaggedError<DotEnvUnreadable>()("DotEnvUnreadable", { cause: Schema.String }) {
  override get message() {
    return `.env in the current folder cannot be read (${this.cause}). Put a readable file there, or remove it`
  }
}

/** The current folder's `.env` sets only what is ours: not a proxy, for one, which would get the key. */
const dotEnv = ConfigProvider.fromDotEnv().pipe(
  Effect.mapError(
    ({ reason: { _tag, cause } }) => new DotEnvUnreadable({ cause: cause instanceof Error ? cause.message : _tag })
  ),
  Effect.map((file) =>
    ConfigProvider.make((path) =>
      String(path[0]).startsWith("CARDLAKE_") ? file.load(path) : Effect.succeed(undefined)
    )
  )
)

/** Where settings come from: flags, then the environment, then the current folder's `.env`. */
export const settingsProvider = (flags: Record<string, string>) =>
  Effect.gen(function* () {
    const settings = ConfigProvider.fromUnknown(flags).pipe(ConfigProvider.orElse(ConfigProvider.fromEnv()))
    return existsSync(".env") ? settings.pipe(ConfigProvider.orElse(yield* dotEnv)) : settings
  })
