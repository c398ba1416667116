import { Disk, type Found, onDisk } from "../../src/feed/disk/Disk.ts"
import { Config, ConfigProvider, Effect, Option, Result, Redacted } from "effect"
import { dotEnvFile, dotEnvText, settingsProvider } from "./settingsProvider.ts"
import { readBound, settingSuffix, suffixIn } from "../../src/store/diff/judge.ts"
import { readFromFile, SettingInvalid, webAddressFault } from "../../src/feed/contract/SettingInvalid.ts"
import { keySetting, urlSetting } from "../../src/feed/client/Marketplace.ts"
import { noProxy, readProxy } from "../../src/feed/client/webClient.ts"
import { encryptionSetting, pathStyleSetting } from "../../src/store/home/bucket/openBucket.ts"
import { requiredDialect } from "../../src/feed/client/RequiredDialect.ts"
import { viaSetting, nightBoundSetting } from "../../src/night/run/NightSettings.ts"
import { readSchedule } from "./readSchedule.ts"
import { ofFlag } from "./marketServices.ts"

const known = new Set([
  "CARDLAKE_API_KEY",
  "CARDLAKE_AT_MOST",
  "CARDLAKE_CLUSTER",
  "CARDLAKE_CRON",
  "CARDLAKE_DIALECT",
  "CARDLAKE_FRONT",
  "CARDLAKE_FX",
  "CARDLAKE_HOME",
  "CARDLAKE_NOTIFY",
  "CARDLAKE_PUBLIC_URL",
  "CARDLAKE_VIA",
  "CARDLAKE_S3_ENCRYPTION",
  "CARDLAKE_S3_PATH_STYLE",
  "CARDLAKE_TZ",
  "CARDLAKE_URL"
])

/** Matches variables that Kubernetes sets for every service, which may be called `cardlake`. */
const ofKubernetes = /_(?:SERVICE|PORT)(?:_|$)/

const namesBelow = (
  provider: ConfigProvider.ConfigProvider,
  path: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const node = yield* Effect.orElseSucceed(provider.load([...path]), () => undefined)
    if (node === undefined) return []
    const names = node.value === undefined ? [] : [path.join("_")]
    const keys = node._tag === "Record" ? [...node.keys] : []
    const inner = yield* Effect.forEach(keys, (key) => namesBelow(provider, [...path, key]))
    return [...names, ...inner.flat()]
  })

/** The names of `CARDLAKE_…` variables in the environment or the current folder's `.env`. */
export const settingNames = Effect.gen(function* () {
  const environment = yield* ConfigProvider.ConfigProvider
  const file = (yield* Disk).exists(".env") ? yield* Effect.orElseSucceed(dotEnvFile(), () => null) : null
  const found = yield* Effect.forEach([environment, ...(file === null ? [] : [file])], (provider) =>
    namesBelow(provider, ["CARDLAKE"])
  )
  return [...new Set(found.flat())].sort()
})

/** One sentence for each `CARDLAKE_…` variable that is not a setting. */
export const unknownSettings = Effect.map(settingNames, (names) =>
  names
    .filter((name) => !known.has(name) && suffixIn(name) === null && !ofKubernetes.test(name))
    .map((name) => `${name} is not a setting of Cardlake and is ignored. Correct its name, or remove it`)
)

/** Prefixes of variables that are read only from the environment. */
const ofEnvironment = "AWS CARDLAKE HTTP HTTPS ICEBERG NO NODE_EXTRA OPENLINEAGE OTEL http https no"
  .split(" ")
  .map((start) => start.split("_"))

/** One sentence for each line of the current folder's `.env` that has no effect. */
export const unreadOfFile = Effect.gen(function* () {
  const text = (yield* Disk).exists(".env") ? yield* Effect.orElseSucceed(dotEnvText(), () => "") : ""
  const file = ConfigProvider.fromDotEnvContents(text)
  const environment = yield* ConfigProvider.ConfigProvider
  const found = yield* Effect.forEach(ofEnvironment, (start) => namesBelow(file, start))
  const inVain = yield* Effect.filter(
    found.flat().filter((name) => !readFromFile(name)),
    (name) => Effect.map(namesBelow(environment, name.split("_")), (there) => there.length === 0)
  )
  const read = new Set(yield* namesBelow(file, ["CARDLAKE"]))
  const faults = text.split(/\r\n?|\n/).flatMap((line, at) => {
    const fault = faultOfLine(line, read)
    return fault === null ? [] : [`Line ${at + 1} of .env ${fault}. Write NAME=value`]
  })
  return [...inVain.map((name) => `${name} is not read from .env. Set it in the environment`), ...faults]
})

/** Why a line does not set the setting that it names; null if it does. `read`: what the file sets. */
const faultOfLine = (line: string, read: ReadonlySet<string>): string | null => {
  const [, name, value = ""] = /^\s*(?:export\s+)?(CARDLAKE_\w+)(?:\s*=|:\s)(.*)$/.exec(line) ?? []
  // The name is in another shell's syntax, YAML, quotes, or lower case.
  if (name === undefined) {
    const isSetting = /^[^#=]*\bCARDLAKE[_-]\w+/i.test(line.replaceAll(/["'`“”‘’]/g, ""))
    return isSetting ? "is not understood and is ignored" : null
  }
  const isClosed = /^\s*((['"`])((?!\2).|\\\2)*\2\s*)?(#|$)/.test(value)
  const bare = value.replace(/#.*/, "").trim()
  if (!isClosed && bare.replaceAll(/^["'`“”‘’]|["'`“”‘’]$/g, "") !== bare) {
    return "has a quote that does not enclose the value, so it may set another value"
  }
  return bare === "" || read.has(name) ? null : "is within the quotes of a line above and is ignored"
}

/** One sentence for each limit of a game that is not in this list. */
export const boundsOfOthers = Effect.fnUntraced(function* (gameIds: ReadonlyArray<string>) {
  const suffixes = new Set(["", ...gameIds.map(settingSuffix)])
  return (yield* settingNames)
    .filter((name) => !suffixes.has(suffixIn(name) ?? ""))
    .map((name) => `${name} is ignored, because no game has this id. The games: ${gameIds.join(", ")}`)
})

/** Returns a text from one source of settings; null if it has none. */
const readText = (provider: ConfigProvider.ConfigProvider, name: string) =>
  Config.String(name)
    .parse(provider)
    .pipe(
      Effect.option,
      Effect.map((text) => Option.getOrNull(text)?.trim() || null)
    )

export const isThisMachine = (host: string): boolean =>
  /^(.*\.)?localhost\.?$/.test(host) || /^127(\.\d+){3}$/.test(host) || host === "[::1]"

/** Checks the file's owner and mode: anyone who may write to `.env` could redirect the key. */
const doubtsOfFile = ({ owner, permissions }: Found): ReadonlyArray<string> => {
  const user = process.getuid?.()
  const isOthers = user !== undefined && owner !== user && owner !== 0
  return [
    ...((permissions & 0o002) === 0
      ? []
      : ["Every user of this machine can write to .env and redirect the key. Run: chmod o-w .env"]),
    ...(isOthers ? [".env belongs to another user, who can redirect the key. Use your own .env"] : [])
  ]
}

/** Returns doubts about the settings, one sentence each: misspelt names, and ways in which the key may leak. */
export const settingsDoubts = Effect.fnUntraced(function* (flags: Record<string, string>) {
  const looked = yield* Effect.result(
    onDisk(
      async (disk) => disk.look(".env"),
      (cause) => (cause instanceof Error ? cause.message : String(cause))
    )
  )
  const file = Result.getOrElse(looked, () => null)
  const environment = yield* ConfigProvider.ConfigProvider
  const dotEnv = file === null ? null : yield* Effect.orElseSucceed(dotEnvFile(), () => null)
  const given = flags["CARDLAKE_URL"] ?? (yield* readText(environment, "CARDLAKE_URL"))
  const fromFile = dotEnv === null ? null : yield* readText(dotEnv, "CARDLAKE_URL")
  const url = given ?? fromFile
  const isPlain = url !== null && URL.canParse(url) && new URL(url).protocol === "http:"
  const hasKey = (yield* readText(environment, "CARDLAKE_API_KEY")) !== null
  return [
    ...(Result.isFailure(looked)
      ? [`.env cannot be read, so it is ignored (${looked.failure}). Make it readable, or remove it`]
      : []),
    ...(file === null ? [] : doubtsOfFile(file)),
    ...(isPlain && !isThisMachine(new URL(url).hostname)
      ? [
          `${flags["CARDLAKE_URL"] === undefined ? "CARDLAKE_URL" : "--url"} is unencrypted http, which exposes the key. Use https://`
        ]
      : []),
    ...(hasKey && given === null && fromFile !== null
      ? [
          "The key from the environment is sent to the address in this folder's .env. Set CARDLAKE_URL in the environment too"
        ]
      : []),
    ...(yield* unknownSettings),
    ...(yield* unreadOfFile)
  ]
})

/** The setting from the environment alone, because nights read it there. */
const notifySetting = Effect.gen(function* () {
  const name = "CARDLAKE_NOTIFY"
  const address = yield* Config.option(Config.Redacted(name)).parse(ConfigProvider.fromEnv())
  const what = Option.isSome(address) ? webAddressFault(Redacted.value(address.value)) : null
  if (what !== null) return yield* new SettingInvalid({ name, what })
})

/**
 * Returns the faults of all settings. A night would report only the first. The home is checked elsewhere. Without
 * `asks`, those of the marketplace are left out, which another process may have, and those of the schedule.
 */
export const settingsFaults = Effect.fnUntraced(function* (flags: Record<string, string>, asks = true) {
  const provider = yield* Effect.result(settingsProvider(flags))
  if (Result.isFailure(provider)) return [provider.failure]
  const bounds = (yield* settingNames).filter((name) => suffixIn(name) !== null)
  const checks: ReadonlyArray<Effect.Effect<unknown, { readonly message: string }>> = [
    ...(asks ? [Effect.mapError(urlSetting, ofFlag(flags)), keySetting] : []),
    readProxy("HTTP_PROXY"),
    readProxy("HTTPS_PROXY"),
    noProxy,
    nightBoundSetting,
    requiredDialect,
    viaSetting,
    ...bounds.map(readBound),
    pathStyleSetting,
    encryptionSetting,
    notifySetting
  ]
  const looked = yield* Effect.forEach(checks, (check) =>
    Effect.result(Effect.provideService(check, ConfigProvider.ConfigProvider, provider.success))
  )
  const { faults } = asks ? yield* readSchedule(flags) : { faults: [] }
  return [...looked.flatMap((result) => (Result.isFailure(result) ? [result.failure] : [])), ...faults]
})
