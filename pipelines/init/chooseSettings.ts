import { join, resolve } from "node:path"
import { diskHere } from "../../src/feed/disk/Disk.ts"
import { Config, ConfigProvider, Effect, Option, Redacted } from "effect"
import * as Prompt from "effect/cli/Prompt"
import { namesFolder, isBucket, soundHome } from "../../src/store/home/bucket/homeAddress.ts"
import { isZone } from "../settings/readSchedule.ts"
import { Fault } from "../../src/feed/contract/Fault.ts"
import { webAddressFault } from "../../src/feed/contract/SettingInvalid.ts"
import { dotEnvFile } from "../settings/settingsProvider.ts"
import { wrongUsage, printFault } from "../print/printAnswer.ts"

/** Max length of a key. */
const maxChars = 4096

/** Returns the first line of standard input; empty if it has no data or is a terminal. */
const keyFromInput = Effect.callback<string>((resume) => {
  if (process.stdin.isTTY) return resume(Effect.succeed(""))
  let text = ""
  const end = () => resume(Effect.succeed(text.split("\n")[0]?.trim() ?? ""))
  process.stdin.setEncoding("utf8")
  process.stdin.on("data", (chunk: string) => {
    text += chunk
    if (text.includes("\n") || text.length > maxChars) end()
  })
  process.stdin.once("end", end)
  process.stdin.once("error", end)
  return Effect.sync(() => process.stdin.destroy())
}).pipe(
  Effect.ensuring(Effect.sync(() => process.stdin.pause())),
  Effect.race(
    // The command may have been started with a pipe that sends nothing.
    Effect.delay(printFault("Waiting for the key on standard input"), "1 second").pipe(Effect.andThen(Effect.never))
  )
)

/** The flags of `cardlake init`. Missing values come from the environment, a `.env`, or a prompt. */
export interface InitFlags {
  readonly folder: string
  readonly url: string | null
  readonly home: string | null
  readonly hour: number | null
  readonly tz: string | null
}

/** The chosen settings of the folder. Paths are absolute. */
export interface Chosen {
  readonly folder: string
  readonly url: string
  readonly key: Redacted.Redacted
  /** True if the key comes from the folder's `.env`: no other key was given, or standard input was not read. */
  readonly isKeyThere: boolean
  readonly home: string
  readonly hour: number
  readonly zone: string
}

const isKey = (key: string): boolean => /^[\x21-\x7e]+$/.test(key)

const answered =
  <A>(isRight: (answer: A) => boolean, expected: string) =>
  (answer: A) =>
    isRight(answer) ? Effect.succeed(answer) : Effect.fail(expected)

export const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const prompts = {
  url: Prompt.String({
    message: "Address of the marketplace",
    validate: (answer) => {
      const fault = webAddressFault(answer)
      return fault === null ? Effect.succeed(answer) : Effect.fail(`The address ${fault}`)
    }
  }),
  key: Prompt.Hidden({
    message: "API key (not shown)",
    validate: (answer) => answered(isKey, "A key without spaces")(answer.trim())
  }),
  home: (proposed: string) =>
    Prompt.String({
      message: "Folder of the lake",
      default: proposed,
      validate: answered((answer) => namesFolder(answer), "A folder of this machine")
    }).pipe(Prompt.map((answer) => (answer.trim() === "" ? proposed : answer))),
  hour: Prompt.String({
    message: "Hour of the nightly run, 0 to 23",
    default: "3",
    validate: answered((answer) => /^([01]?\d|2[0-3])$/.test(answer.trim()), "A whole number from 0 to 23")
  }).pipe(Prompt.map(Number)),
  zone: Prompt.String({
    message: "Time zone",
    default: zoneHere(),
    validate: answered(isZone, "The name of a time zone, such as Europe/Zurich or UTC")
  })
}

const textIn = (provider: ConfigProvider.ConfigProvider, name: string) =>
  Config.String(name)
    .parse(provider)
    .pipe(
      Effect.option,
      Effect.map((text) => Option.getOrElse(text, () => "").trim())
    )

/** Returns settings from flags, the environment or the folder's `.env`, in this order. Prompts for missing ones. */
export const chooseSettings = Effect.fnUntraced(function* (flags: InitFlags, canAsk: boolean) {
  const { folder } = flags
  const environment = yield* ConfigProvider.ConfigProvider
  const path = join(folder, ".env")
  const file = diskHere().exists(path)
    ? yield* Effect.orElseSucceed(dotEnvFile(path), () => ConfigProvider.fromUnknown({}))
    : ConfigProvider.fromUnknown({})
  const known = Effect.fnUntraced(function* (name: string) {
    const there = yield* textIn(environment, name)
    return there === "" ? yield* textIn(file, name) : there
  })

  const url = flags.url ?? (yield* known("CARDLAKE_URL"))
  const key = yield* known("CARDLAKE_API_KEY")
  const isKeyThere = key !== "" && (yield* textIn(environment, "CARDLAKE_API_KEY")) === ""
  // A relative path in a `.env` is relative to that file.
  const fromEnvironment = flags.home || (yield* textIn(environment, "CARDLAKE_HOME"))
  const fromFile = yield* textIn(file, "CARDLAKE_HOME")
  if (isBucket(yield* soundHome(fromEnvironment || fromFile)))
    return yield* wrongUsage(
      "init needs a home in a folder: leave out --home and CARDLAKE_HOME, or name a folder. A home in a bucket needs no init: cardlake nightly --home s3://bucket/prefix"
    )
  const home = fromEnvironment || (fromFile === "" ? "" : resolve(folder, fromFile))
  const proposed = join(folder, "lake")

  if (canAsk) {
    const chosen: Chosen = {
      folder,
      url: url || (yield* Prompt.run(prompts.url)).trim(),
      key: key === "" ? yield* Prompt.run(prompts.key) : Redacted.make(key),
      isKeyThere,
      home: resolve(home || (yield* Prompt.run(prompts.home(proposed)))),
      hour: flags.hour ?? (yield* Prompt.run(prompts.hour)),
      zone: (flags.tz ?? (yield* Prompt.run(prompts.zone))).trim()
    }
    return { ...chosen, key: Redacted.make(Redacted.value(chosen.key).trim()) }
  }
  const piped = key === "" && url !== "" ? yield* keyFromInput : key
  const missing = [
    ...(url === "" ? ["the address of the marketplace (--url or CARDLAKE_URL)"] : []),
    ...(piped === "" ? ["the key (CARDLAKE_API_KEY, or standard input)"] : [])
  ]
  if (missing.length > 0)
    return yield* new Fault(
      "SettingsMissing",
      `Missing: ${missing.join(" and ")}. There is no terminal to ask on; set it, then run this again`
    )
  return {
    folder,
    url,
    key: Redacted.make(piped),
    isKeyThere,
    home: resolve(home || proposed),
    hour: flags.hour ?? 3,
    zone: (flags.tz ?? zoneHere()).trim()
  }
})
