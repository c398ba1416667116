import { Config, ConfigProvider, Effect, Option, Redacted, Result } from "effect"
import { keySetting, urlSetting } from "../../src/feed/client/Marketplace.ts"
import { SettingInvalid, webAddressFault } from "../../src/feed/contract/SettingInvalid.ts"
import { noProxy, proxyOf } from "../../src/feed/client/webClient.ts"
import { readBound, suffixIn } from "../../src/store/diff/HoldBounds.ts"
import { encryptionSetting, pathStyleSetting } from "../../src/store/home/bucket/BucketSettings.ts"
import { askedDialect } from "../../src/feed/client/AskedDialect.ts"
import { askedRoadSetting, nightBoundSetting } from "../../src/night/run/NightSettings.ts"
import { ofFlag } from "./services.ts"
import { settingNames } from "./settingNames.ts"
import { settingsProvider } from "./settingsProvider.ts"

/** From the environment alone, because a night reads it there. */
const notifySetting = Effect.gen(function* () {
  const name = "CARDLAKE_NOTIFY"
  const address = yield* Config.option(Config.Redacted(name)).parse(ConfigProvider.fromEnv())
  const what = Option.isSome(address) ? webAddressFault(Redacted.value(address.value)) : null
  if (what !== null) return yield* new SettingInvalid({ name, what })
})

/** What is wrong with any setting, one sentence each. A night would name only the first, and the home is another check. */
export const settingsFaults = Effect.fnUntraced(function* (flags: Record<string, string>) {
  const provider = yield* Effect.result(settingsProvider(flags))
  if (Result.isFailure(provider)) return [provider.failure.message]
  const bounds = (yield* settingNames).filter((name) => suffixIn(name) !== null)
  const checks: ReadonlyArray<Effect.Effect<unknown, { readonly message: string }>> = [
    Effect.mapError(urlSetting, ofFlag(flags)),
    keySetting,
    proxyOf("HTTP_PROXY"),
    proxyOf("HTTPS_PROXY"),
    noProxy,
    nightBoundSetting,
    askedDialect,
    askedRoadSetting,
    ...bounds.map(readBound),
    pathStyleSetting,
    encryptionSetting,
    notifySetting
  ]
  const looked = yield* Effect.forEach(checks, (check) =>
    Effect.result(Effect.provideService(check, ConfigProvider.ConfigProvider, provider.success))
  )
  return looked.flatMap((result) => (Result.isFailure(result) ? [result.failure.message] : []))
})
