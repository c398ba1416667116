import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Flag from "effect/cli/Flag"
import * as Argument from "effect/cli/Argument"
import * as Duration from "effect/Duration"
import { parseDuration } from "../../src/night/run/parseDuration.ts"
import { isPublicUrl } from "../../src/store/home/bucket/homeAddress.ts"
import { hostName } from "../../src/feed/guard/hostFault.ts"
import { dialectNames } from "../../src/feed/contract/dialect/dialects.ts"
import { InvalidValue } from "effect/cli/CliError"
import { destinationFault, shownAddress } from "../../src/warehouse/destination/destinationFault.ts"

/** Makes flags with a number within inclusive bounds. */
const boundedFlag =
  (kind: string, isOfKind: (number: number) => boolean) =>
  (name: string, metavar: string, bounds: Record<"from" | "to", number>) =>
    Flag.String(name).pipe(
      Flag.withMetavar(metavar),
      Flag.filterMap(
        (text) => {
          const number = text.trim() === "" ? Number.NaN : Number(text)
          return isOfKind(number) && number >= bounds.from && number <= bounds.to ? Option.some(number) : Option.none()
        },
        () => `Expected ${kind} from ${bounds.from} to ${bounds.to}`
      )
    )

/** A flag with a number. The error for a wrong value names the allowed range. */
export const numberFlag = boundedFlag("a number", Number.isFinite)
export const wholeNumberFlag = boundedFlag("a whole number", Number.isInteger)

/** A flag with a port to listen on; 0 means any free port. */
export const portFlag = (name: string, description: string) =>
  wholeNumberFlag(name, "PORT", { from: 0, to: 65_535 }).pipe(Flag.withDescription(description))

export const choiceFlag = <const Words extends ReadonlyArray<string>>(
  name: string,
  words: Words,
  description: string
) => Flag.Literals(name, words).pipe(Flag.withDescription(description))

const isFilled = (text: string): boolean => text.trim() !== ""

/** A flag with a text. An empty text is rejected, because shells pass one for an unset variable. */
export const textFlag = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.filter(isFilled, () => `Expected ${metavar}, not an empty text`)
  )

export const optionalText = (name: string, metavar: string, description: string) =>
  textFlag(name, metavar, description).pipe(Flag.optional)

export const switchFlag = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

/** A flag with a duration. `such` are examples for its description and error. */
export const durationFlag = (name: string, description: string, such: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("DURATION"),
    Flag.withDescription(description),
    Flag.filterMap(parseDuration, () => `Expected a duration such as ${such}`)
  )

export const textArgument = (name: string, description: string) =>
  Argument.String(name).pipe(
    Argument.withDescription(description),
    Argument.filter(isFilled, () => "Expected a text that is not empty")
  )

export const optionalArgument = (name: string, description: string) =>
  textArgument(name, description).pipe(Argument.optional)

/** Flags that several commands share. A flag overrides its `CARDLAKE_` variable, which overrides `.env`. */
export const url = optionalText("url", "URL", "Base address of the marketplace; default: CARDLAKE_URL")
export const home = optionalText("home", "DIR", "Folder of the lake; default: CARDLAKE_HOME, else data/lake")
export const json = switchFlag("json", "Print exact data as JSON instead of readable text")
export const line = switchFlag("line", "Print each record as lines, one per column, without cutting texts")
/** The flag for CSV that users open in a spreadsheet. */
export const spreadsheet = switchFlag(
  "spreadsheet",
  "With CSV: a byte order mark, and an apostrophe before cells that a spreadsheet would run as formulas"
)
/** The address of a front. Errors do not repeat a rejected address, which may contain a key. */
export const publicUrl = optionalText(
  "public-url",
  "URL",
  "Address at which readers find the front; default: CARDLAKE_PUBLIC_URL, else the last one, else that of the folder or bucket"
).pipe(
  Flag.mapEffect((url) => {
    if (Option.isNone(url) || isPublicUrl(url.value)) return Effect.succeed(url)
    const expected = "https://HOST/PATH, s3://BUCKET/PREFIX, or an absolute path"
    return Effect.fail(
      new InvalidValue({ option: "public-url", value: shownAddress(url.value), expected, kind: "flag" })
    )
  })
)
/** The reason for changing what is published. */
export const why = textFlag("why", "TEXT", "Reason, stored with the run").pipe(
  Flag.filter(
    (text) => /[\p{L}\p{N}]/u.test(text),
    (text) => `Expected a reason in words, not ${text}`
  ),
  Flag.optional
)

/** The variables that flags override. */
const variables = {
  url: "CARDLAKE_URL",
  home: "CARDLAKE_HOME",
  publicUrl: "CARDLAKE_PUBLIC_URL",
  atMost: "CARDLAKE_AT_MOST",
  dialect: "CARDLAKE_DIALECT",
  via: "CARDLAKE_VIA"
} as const

/** Converts flags to the variables that they override. */
export const toSettings = (
  flags: Readonly<Partial<Record<keyof typeof variables, string | null>>>
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([flag, name]) => {
      const value = flags[flag as keyof typeof variables] ?? null
      return value === null ? [] : [[name, value]]
    })
  )

/** The user's cards leave a home only with this flag. */
export const withCollection = switchFlag("with-collection", "Include your own cards; default: they stay in the home")

/** True if the day exists: `Date` parses 2026-02-30 as 2 March. */
const isDay = (text: string): boolean => {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(text) : new Date(Number.NaN)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

export const dayFlag = (name: string, description: string, words: ReadonlyArray<string> = []) =>
  Flag.String(name).pipe(
    Flag.withMetavar("DAY"),
    Flag.withDescription(description),
    Flag.filter(
      (text) => isDay(text) || words.includes(text),
      () => "Expected a day such as 2026-05-01"
    ),
    Flag.optional
  )

/** The max age of a lake: one night, and half a day for somebody to react. */
export const maxAge = durationFlag(
  "max-age",
  "How old the lake may be, such as 36h, 2d or 90 minutes; default: 36 hours",
  '36h, 2d or "90 minutes"'
).pipe(Flag.withDefault(Duration.hours(36)))

/** True if the name has no port: the server answers to it on any port. */
const isName = (text: string): boolean => hostName(text) !== undefined && !/:\d*$/.test(text)

/** Additional host names under which this local server accepts requests, e.g. that of a reverse proxy. */
export const allowHost = textFlag(
  "allow-host",
  "NAME",
  "Also answer to this host name, repeatable; default: 127.0.0.1, localhost and [::1], on any port"
).pipe(
  Flag.filter(isName, () => "Expected a name without scheme and port, such as lake.example"),
  Flag.atLeast(0)
)

const named: ReadonlySet<string> = new Set(["auto", ...dialectNames])

/** A dialect's name, or a dialect file: its path has a dot or a slash. */
export const dialectFlag = (description: string) =>
  textFlag("dialect", `auto|${dialectNames.join("|")}|FILE`, description).pipe(
    Flag.filter(
      (text) => named.has(text) || /[./\\]/.test(text),
      (text) => `Expected auto, ${dialectNames.join(", ")}, or a file such as ./dialect.json, got ${text}`
    )
  )

/** A folder or a bucket. Errors do not repeat a rejected address, which may contain a key. */
export const destinationFlag = (option: string, description: string) =>
  Flag.String(option).pipe(
    Flag.withMetavar("DESTINATION"),
    Flag.withDescription(description),
    Flag.mapEffect((address) => {
      const expected = destinationFault(address)
      if (expected === null) return Effect.succeed(address)
      return Effect.fail(new InvalidValue({ option, value: shownAddress(address), expected, kind: "flag" }))
    })
  )

export const yes = switchFlag("yes", "Do not ask for confirmation; needed without a terminal")
