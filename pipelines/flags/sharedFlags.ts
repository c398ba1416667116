import * as Layer from "effect/Layer"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Flag from "effect/cli/Flag"
import * as Argument from "effect/cli/Argument"
import type { Work } from "../../src/store/home/bucket/workInBucket.ts"
import { warnings } from "../print/warnings.ts"

/** Both are allowed. */
interface Bounds {
  readonly from: number
  readonly to: number
}

const flagOf =
  (kind: string, isOfKind: (number: number) => boolean) => (name: string, metavar: string, bounds: Bounds) =>
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

/** A flag with a number; who gives a wrong one reads what is allowed. */
export const numberFlag = flagOf("a number", Number.isFinite)
export const wholeNumberFlag = flagOf("a whole number", Number.isInteger)

/** A flag with a port to listen on; 0 is any free one. */
export const portFlag = (name: string) => wholeNumberFlag(name, "PORT", { from: 0, to: 65_535 })

const isFilled = (text: string): boolean => text.trim() !== ""

/** A flag with a text. An empty text is refused: a shell makes it of a variable that nobody has set. */
export const textFlag = (name: string, metavar: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.filter(isFilled, () => `Expected ${metavar}, not an empty text`)
  )

/** An argument with a text that is not empty. */
export const textArgument = (name: string) =>
  Argument.String(name).pipe(Argument.filter(isFilled, () => "Expected a text that is not empty"))

/** Flags that several commands share. A flag overrides its `CARDLAKE_` variable, which overrides `.env`. */
export const url = textFlag("url", "URL").pipe(
  Flag.withDescription("Base address of the marketplace; default: CARDLAKE_URL"),
  Flag.optional
)
export const home = textFlag("home", "DIR").pipe(
  Flag.withDescription("Folder of the lake; default: CARDLAKE_HOME, else data/lake"),
  Flag.optional
)
export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print exact data as JSON instead of readable text"),
  Flag.withDefault(false)
)
/** For what is too wide for a terminal. */
export const line = Flag.Boolean("line").pipe(
  Flag.withDescription("Print each record as lines, one for each column, with every text whole"),
  Flag.withDefault(false)
)
/** For CSV that a person opens with a double click. */
export const spreadsheet = Flag.Boolean("spreadsheet").pipe(
  Flag.withDescription(
    "With CSV: a byte order mark, and an apostrophe before every cell that a spreadsheet would run as a formula"
  ),
  Flag.withDefault(false)
)
/** Why a person changes what is published. */
export const why = textFlag("why", "TEXT").pipe(
  Flag.filter(
    (text) => /[\p{L}\p{N}]/u.test(text),
    (text) => `Expected a reason in words, not ${text}`
  ),
  Flag.withDescription("The reason, kept with the run"),
  Flag.optional
)

/** What the flags say, as the variables they stand for. */
export const settingsOf = (flags: {
  readonly url?: Option.Option<string>
  readonly home?: Option.Option<string>
  readonly atMost?: Option.Option<string>
  readonly dialect?: Option.Option<string>
  readonly road?: Option.Option<string>
}): Record<string, string> => ({
  ...(flags.url !== undefined && Option.isSome(flags.url) ? { CARDLAKE_URL: flags.url.value } : {}),
  ...(flags.home !== undefined && Option.isSome(flags.home) ? { CARDLAKE_HOME: flags.home.value } : {}),
  ...(flags.atMost !== undefined && Option.isSome(flags.atMost) ? { CARDLAKE_AT_MOST: flags.atMost.value } : {}),
  ...(flags.dialect !== undefined && Option.isSome(flags.dialect) ? { CARDLAKE_DIALECT: flags.dialect.value } : {}),
  ...(flags.road !== undefined && Option.isSome(flags.road) ? { CARDLAKE_ROAD: flags.road.value } : {})
})

/**
 * Runs a command that reads or writes the lake, wherever its home is. `run` gets the games that have to be done again,
 * as others changed them meanwhile; null: what it was asked for.
 */
export const inLake = <A, E, R, E2, R2>(
  flags: Parameters<typeof settingsOf>[0],
  work: Work<A, E2, R2>,
  run: (games: ReadonlyArray<string> | null) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const { inHome } = yield* Effect.promise(() => import("./inHome.ts"))
    const { lakeServices } = yield* Effect.promise(() => import("../settings/services.ts"))
    return yield* inHome(settingsOf(flags), work, (settings, games, place) =>
      Effect.flatMap(Layer.build(Layer.merge(lakeServices(settings, place), warnings)), (services) =>
        Effect.provideContext(run(games), services)
      )
    )
  }).pipe(Effect.scoped)

/** Runs what looks at a drop alone, wherever the home is. */
export const withoutLake = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { lakeServicesIfAny } = yield* Effect.promise(() => import("../settings/services.ts"))
    const services = yield* Layer.build(Layer.merge(lakeServicesIfAny({ CARDLAKE_HOME: "data/lake" }), warnings))
    return yield* Effect.provideContext(effect, services)
  }).pipe(Effect.scoped)

/**
 * The services of a command, loaded when it runs: `--help` and usage errors need neither DuckDB nor an HTTP client.
 */
export const lakeOnly = (flags: Parameters<typeof settingsOf>[0], needsLake = true) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("../settings/services.ts")),
      ({ lakeServices, lakeServicesIfAny }) =>
        Layer.mergeAll((needsLake ? lakeServices : lakeServicesIfAny)(settingsOf(flags)), warnings)
    )
  )
