import * as Config from "effect/Config"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import { dialectFlag } from "./dialectFlag.ts"
import { textArgument, textFlag } from "./sharedFlags.ts"
import { destinationFlag } from "./destinationFlag.ts"
import { webAddressFault } from "../../src/feed/contract/SettingInvalid.ts"
import { durationOf } from "../../src/night/run/durationOf.ts"

/** What `nightly` and `schedule` both take: which games, and how a night is seen from outside. */
export const games = textArgument("game").pipe(
  Argument.withDescription("Game ids, as GET /v1/games returns them; default: every game"),
  Argument.variadic()
)

export const log = Flag.Literals("log", ["text", "json"]).pipe(
  Flag.withDescription("Write standard error as readable text, or as one JSON object per event"),
  Flag.withDefault("text")
)
export const prometheus = textFlag("prometheus", "FILE").pipe(
  Flag.withDescription("Write the night's figures to this file, for node-exporter's textfile collector (*.prom)"),
  Flag.optional
)
/** Stays text, because it stands for a variable. */
export const atMost = Flag.String("at-most").pipe(
  Flag.withMetavar("DURATION"),
  Flag.withDescription("How long a night may read, such as 6h or 90 minutes; default: CARDLAKE_AT_MOST, else 6 hours"),
  Flag.filter(
    (text) => Option.isSome(durationOf(text)),
    () => 'Expected a duration such as 6h or "90 minutes"'
  ),
  Flag.optional
)
/** Which words the marketplace speaks. */
export const dialect = dialectFlag(
  "The words that its pages are in, or a dialect file; default: CARDLAKE_DIALECT, else auto: as they show them"
).pipe(Flag.optional)
/** How games are read. */
export const road = Flag.Literals("road", ["auto", "feeds", "pages"]).pipe(
  Flag.withDescription(
    "By the three feed files of a game, or page by page; default: CARDLAKE_ROAD, else auto: as it was read before"
  ),
  Flag.optional
)
/** Redacted: the path of a webhook's address is often its secret. The variable keeps it out of process lists. */
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
/** A folder or bucket that follows the lake. */
export const exportTo = destinationFlag(
  "export",
  "After publishing, bring this folder or s3://bucket/prefix up to date, as cardlake export does"
).pipe(Flag.optional)
