import * as Flag from "effect/cli/Flag"
import { explainCron, isZone } from "../settings/readSchedule.ts"
import * as Config from "effect/Config"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Argument from "effect/cli/Argument"
import { webAddressFault } from "../../src/feed/contract/SettingInvalid.ts"
import { parseDuration } from "../../src/night/run/parseDuration.ts"
import { isNightId, type NightId } from "../../src/store/home/bucket/nights/nightId.ts"
import {
  choiceFlag,
  destinationFlag,
  dialectFlag,
  home,
  optionalText,
  publicUrl,
  textArgument,
  url,
  wholeNumberFlag
} from "./sharedFlags.ts"

export const cron = Flag.String("cron").pipe(
  Flag.withMetavar("EXPRESSION"),
  Flag.withDescription(
    'When to run, as five fields: minute hour day month weekday; "0 3 * * *" is every night at three'
  ),
  Flag.filter(
    (text) => explainCron(text) === null,
    (text) => explainCron(text) ?? ""
  )
)

export const zone = (description: string) =>
  Flag.String("tz").pipe(
    Flag.withMetavar("ZONE"),
    Flag.withDescription(description),
    Flag.filter(isZone, () => "Expected the name of a time zone, such as Europe/Zurich or UTC")
  )
export const tz = zone("Time zone of --cron, such as Europe/Zurich; default: UTC").pipe(Flag.withDefault("UTC"))

/** Arguments and flags that `nightly` and `schedule` share. */
export const games = textArgument("game", "Game ids, as GET /v1/games returns them; default: every game").pipe(
  Argument.variadic()
)

const log = choiceFlag(
  "log",
  ["text", "json"],
  "Write standard error as readable text, or as one JSON object per event"
).pipe(Flag.withDefault("text"))
const prometheus = optionalText(
  "prometheus",
  "FILE",
  "Write the night's figures to this file, for node-exporter's textfile collector (*.prom)"
)
/** The flag is a text because it stands for a variable. */
export const atMost = Flag.String("at-most").pipe(
  Flag.withMetavar("DURATION"),
  Flag.withDescription("How long a night may read, such as 6h or 90 minutes; default: CARDLAKE_AT_MOST, else 6 hours"),
  Flag.filter(
    (text) => Option.isSome(parseDuration(text)),
    () => 'Expected a duration such as 6h or "90 minutes"'
  ),
  Flag.optional
)
const dialect = dialectFlag(
  "Field names of the pages, or a mapping file; default: CARDLAKE_DIALECT, else auto: detected"
).pipe(Flag.optional)
const via = choiceFlag(
  "via",
  ["auto", "feeds", "pages"],
  "Read feed files, or page by page; default: CARDLAKE_VIA, else auto: as before"
).pipe(Flag.optional)
/** Redacted, because a webhook's path is often secret. The variable keeps it out of process lists. */
export const notify = Flag.Redacted("notify").pipe(
  Flag.withMetavar("URL"),
  Flag.withDescription("POST the report of --json to this address after the night; default: CARDLAKE_NOTIFY"),
  Flag.withFallbackConfig(Config.Redacted("CARDLAKE_NOTIFY")),
  Flag.filter(
    (address) => webAddressFault(Redacted.value(address)) === null,
    (address) => `The address ${webAddressFault(Redacted.value(address))}`
  ),
  Flag.optional
)
/** A folder or bucket that every night updates. */
const exportTo = destinationFlag(
  "export",
  "After publishing, export to this folder or s3://bucket/prefix, like cardlake export"
).pipe(Flag.optional)

export const readingFlags = { atMost, dialect, via, url, home, log }
/** Flags of every command that runs nights: reading, export and notifications. */
export const nightFlags = { ...readingFlags, prometheus, notify, exportTo, publicUrl }

/** Max length of a member's name and of a cron expression. Their columns hold 150 characters or more. */
export const maxNameLength = 100

const isPostgres = (text: string): boolean => /^postgres(ql)?:\/\/./.test(text) && URL.canParse(text)

/** The value is redacted: a Postgres address often has a password. The variable keeps it out of process lists. */
export const cluster = Flag.Redacted("cluster").pipe(
  Flag.withMetavar("POSTGRES_URL"),
  Flag.withDescription("Postgres of the fleet, postgres://user:password@host/db; default: CARDLAKE_CLUSTER"),
  Flag.withFallbackConfig(Config.Redacted("CARDLAKE_CLUSTER")),
  Flag.filter(
    (address) => isPostgres(Redacted.value(address)),
    () =>
      "Expected postgres://user:password@host/database; in a password, write / as %2F, ? as %3F, # as %23, @ as %40, % as %25"
  ),
  Flag.optional
)

const parseNight = (text: string): Option.Option<NightId> => (isNightId(text) ? Option.some(text) : Option.none())
const expected = () => "Expected a night's id from cardlake plan, such as 2026-11-23-1"

export const night = Argument.String("night").pipe(
  Argument.withDescription("Id of the night, from cardlake plan"),
  Argument.filterMap(parseNight, expected)
)
export const partOfNight = Flag.String("part-of").pipe(
  Flag.withMetavar("NIGHT"),
  Flag.withDescription("Read one game for this night of cardlake plan; cardlake publish publishes it"),
  Flag.filterMap(parseNight, expected),
  Flag.optional
)
export const index = wholeNumberFlag("index", "N", { from: 0, to: 1_000_000 }).pipe(
  Flag.withDescription(
    "With --part-of: the game with this number in the plan; a number past the last one does nothing"
  ),
  Flag.optional
)
export const unchangedCode = wholeNumberFlag("unchanged-code", "N", { from: 0, to: 255 }).pipe(
  Flag.withDescription("Exit code if nothing is new; default: 0"),
  Flag.withDefault(0)
)
