import { statSync } from "node:fs"
import { Config, ConfigProvider, Effect, Option, Result } from "effect"
import { dotEnvFile } from "./settingsProvider.ts"
import { unknownSettings, unreadOfFile } from "./settingNames.ts"

/** A text from one source of settings; null if it has none. */
const textOf = (provider: ConfigProvider.ConfigProvider, name: string) =>
  Config.String(name)
    .parse(provider)
    .pipe(
      Effect.option,
      Effect.map((text) => Option.getOrNull(text)?.trim() || null)
    )

const isThisMachine = (host: string): boolean =>
  /^(.*\.)?localhost\.?$/.test(host) || /^127(\.\d+){3}$/.test(host) || host === "[::1]"

/** Anyone who may write to `.env` could have the key sent elsewhere. */
const doubtsOfFile = ({ mode, uid }: { readonly mode: number; readonly uid: number }): ReadonlyArray<string> => {
  const own = process.getuid?.()
  const isOthers = own !== undefined && uid !== own && uid !== 0
  return [
    ...((mode & 0o002) === 0
      ? []
      : ["Everybody on this machine may write to .env, and so could have the key sent elsewhere. Run: chmod o-w .env"]),
    ...(isOthers
      ? [".env belongs to another user of this machine, who could have the key sent elsewhere. Use a .env of your own"]
      : [])
  ]
}

/** What is odd about settings, one sentence each: ways in which the key may reach the wrong people, and misspelt names. */
export const settingsDoubts = Effect.fnUntraced(function* (flags: Record<string, string>) {
  const looked = yield* Effect.result(
    Effect.try({
      try: () => statSync(".env", { throwIfNoEntry: false }),
      catch: (cause) => (cause instanceof Error ? cause.message : String(cause))
    })
  )
  const file = Result.getOrUndefined(looked)
  const environment = yield* ConfigProvider.ConfigProvider
  const dotEnv = file === undefined ? null : yield* Effect.orElseSucceed(dotEnvFile(), () => null)
  const given = flags["CARDLAKE_URL"] ?? (yield* textOf(environment, "CARDLAKE_URL"))
  const fromFile = dotEnv === null ? null : yield* textOf(dotEnv, "CARDLAKE_URL")
  const url = given ?? fromFile
  const isPlain = url !== null && URL.canParse(url) && new URL(url).protocol === "http:"
  const hasKey = (yield* textOf(environment, "CARDLAKE_API_KEY")) !== null
  return [
    ...(Result.isFailure(looked)
      ? [`.env cannot be read, so it is ignored (${looked.failure}). Put a readable file there, or remove it`]
      : []),
    ...(file === undefined ? [] : doubtsOfFile(file)),
    ...(isPlain && !isThisMachine(new URL(url).hostname)
      ? [
          `${flags["CARDLAKE_URL"] === undefined ? "CARDLAKE_URL" : "--url"} is plain http, so anybody along the way can read the key. Use https://`
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
