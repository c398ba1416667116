import { existsSync } from "node:fs"
import { ConfigProvider, Effect } from "effect"
import { suffixIn, suffixOf } from "../../src/diff/HoldBounds.ts"

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
  const file = existsSync(".env") ? yield* Effect.orElseSucceed(ConfigProvider.fromDotEnv(), () => null) : null
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

/** One sentence for each bound that is set for a game other than these. */
export const boundsOfOthers = Effect.fnUntraced(function* (gameIds: ReadonlyArray<string>) {
  const suffixes = new Set(["", ...gameIds.map(suffixOf)])
  return (yield* settingNames)
    .filter((name) => !suffixes.has(suffixIn(name) ?? ""))
    .map((name) => `${name} changes nothing, because no game has such an id. The games: ${gameIds.join(", ")}`)
})
