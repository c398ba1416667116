import { existsSync } from "node:fs"
import { ConfigProvider, Effect } from "effect"
import { suffixIn, suffixOf } from "../../src/store/diff/HoldBounds.ts"
import { readFromFile } from "../../src/feed/contract/SettingInvalid.ts"
import { dotEnvFile, dotEnvText } from "./settingsProvider.ts"

const known = new Set([
  "CARDLAKE_API_KEY",
  "CARDLAKE_AT_MOST",
  "CARDLAKE_CLUSTER",
  "CARDLAKE_DIALECT",
  "CARDLAKE_HOME",
  "CARDLAKE_NOTIFY",
  "CARDLAKE_ROAD",
  "CARDLAKE_S3_ENCRYPTION",
  "CARDLAKE_S3_PATH_STYLE",
  "CARDLAKE_URL"
])

/** Kubernetes sets such variables for every service; one may be called `cardlake`. */
const ofKubernetes = /_(?:SERVICE|PORT)(?:_|$)/

const namesBelow = (
  provider: ConfigProvider.ConfigProvider,
  path: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const node = yield* Effect.orElseSucceed(provider.load([...path]), () => undefined)
    if (node === undefined) return []
    const own = node.value === undefined ? [] : [path.join("_")]
    const keys = node._tag === "Record" ? [...node.keys] : []
    const inner = yield* Effect.forEach(keys, (key) => namesBelow(provider, [...path, key]))
    return [...own, ...inner.flat()]
  })

/** The variables named `CARDLAKE_…` that the environment or the current folder's `.env` sets. */
export const settingNames = Effect.gen(function* () {
  const environment = yield* ConfigProvider.ConfigProvider
  const file = existsSync(".env") ? yield* Effect.orElseSucceed(dotEnvFile(), () => null) : null
  const found = yield* Effect.forEach([environment, ...(file === null ? [] : [file])], (provider) =>
    namesBelow(provider, ["CARDLAKE"])
  )
  return [...new Set(found.flat())].sort()
})

/** One sentence for each variable that looks like a setting and is none. */
export const unknownSettings = Effect.map(settingNames, (names) =>
  names
    .filter((name) => !known.has(name) && suffixIn(name) === null && !ofKubernetes.test(name))
    .map((name) => `${name} is not a setting of Cardlake, so it changes nothing. Correct its name, or remove it`)
)

/** How variables begin that are read from the environment alone. */
const ofEnvironment = "AWS CARDLAKE HTTP HTTPS ICEBERG NO NODE_EXTRA OPENLINEAGE OTEL http https no"
  .split(" ")
  .map((start) => start.split("_"))

/** One sentence for each thing that the current folder's `.env` says in vain. */
export const unreadOfFile = Effect.gen(function* () {
  const text = existsSync(".env") ? yield* Effect.orElseSucceed(dotEnvText(), () => "") : ""
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

/** Why a line that names a setting does not set it, or not as it looks; `read` are the settings that the file sets. */
const faultOfLine = (line: string, read: ReadonlySet<string>): string | null => {
  const [, name, value = ""] = /^\s*(?:export\s+)?(CARDLAKE_\w+)(?:\s*=|:\s)(.*)$/.exec(line) ?? []
  // Another shell's, YAML's, quoted, or in small letters.
  if (name === undefined) {
    const isSetting = /^[^#=]*\bCARDLAKE[_-]\w+/i.test(line.replaceAll(/["'`“”‘’]/g, ""))
    return isSetting ? "is not understood, so it sets nothing" : null
  }
  const isClosed = /^\s*((['"`])((?!\2).|\\\2)*\2\s*)?(#|$)/.test(value)
  const bare = value.replace(/#.*/, "").trim()
  if (!isClosed && bare.replaceAll(/^["'`“”‘’]|["'`“”‘’]$/g, "") !== bare) {
    return "has a quote that does not enclose the value, so it may set another value"
  }
  return bare === "" || read.has(name) ? null : "is within the quotes of a line above, so it sets nothing"
}

/** One sentence for each bound that is set for a game other than these. */
export const boundsOfOthers = Effect.fnUntraced(function* (gameIds: ReadonlyArray<string>) {
  const suffixes = new Set(["", ...gameIds.map(suffixOf)])
  return (yield* settingNames)
    .filter((name) => !suffixes.has(suffixIn(name) ?? ""))
    .map((name) => `${name} changes nothing, because no game has such an id. The games: ${gameIds.join(", ")}`)
})
