import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { diskHere } from "../../src/feed/disk/Disk.ts"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { Fault } from "../../src/feed/contract/Fault.ts"

/** Decodes UTF-8, or UTF-16 with a byte order mark, which Windows writes. Throws for anything else. */
const decodeText = (bytes: Uint8Array): string => {
  const [first = 0, second = 0] = bytes
  const encoding = { 0xfffe: "utf-16le", 0xfeff: "utf-16be" }[(first << 8) | second] ?? "utf-8"
  const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
  if (text.includes("\0")) throw new TypeError("it is not text; save it as UTF-8")
  return text
}

export const dotEnvText = (path = ".env") =>
  Effect.try({
    try: () => decodeText(diskHere().readNow(path)),
    catch: (cause) => {
      const isEncoding = Predicate.hasProperty(cause, "code") && cause.code === "ERR_ENCODING_INVALID_ENCODED_DATA"
      const what = isEncoding
        ? "it is not UTF-8; save it as UTF-8"
        : cause instanceof Error
          ? cause.message
          : String(cause)
      return new Fault(
        "DotEnvUnreadable",
        `.env in the current folder cannot be read (${what}). Make it readable, or remove it`
      )
    }
  })

export const dotEnvFile = (path?: string) =>
  Effect.map(dotEnvText(path), (text) => ConfigProvider.fromDotEnvContents(text))

/** The current folder's `.env`, restricted to our variables: a proxy set there would get the key. */
const dotEnv = Effect.map(dotEnvFile(), (file) =>
  ConfigProvider.make((path) => (String(path[0]).startsWith("CARDLAKE_") ? file.load(path) : Effect.succeed(undefined)))
)

/** The source of settings: flags, then the environment, then the current folder's `.env`. */
export const settingsProvider = (flags: Record<string, string>) =>
  Effect.gen(function* () {
    const settings = ConfigProvider.fromUnknown(flags).pipe(ConfigProvider.orElse(ConfigProvider.fromEnv()))
    return diskHere().exists(".env") ? settings.pipe(ConfigProvider.orElse(yield* dotEnv)) : settings
  })

/** Returns a setting that may be absent; null if it is absent, empty or unreadable. */
export const readSetting = (flags: Record<string, string>, name: string) =>
  Effect.flatMap(settingsProvider(flags), (provider) => Config.option(Config.String(name)).parse(provider)).pipe(
    Effect.map((text) => Option.getOrNull(text)?.trim() || null),
    Effect.orElseSucceed(() => null)
  )

/** An address for `CARDLAKE_FX`: the European Central Bank's rates of all days since 1999. */
export const ratesOfBank = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip"
