import * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as Runtime from "effect/Runtime"
import packageJson from "../package.json" with { type: "json" }
import { TerminalCapabilities } from "effect/cli/TerminalCapabilities"
import { shownLines } from "../src/feed/contract/shownText.ts"
import { backfill } from "./backfill.ts"
import { collection } from "./collection.ts"
import { compact } from "./compact.ts"
import { demo } from "./demo.ts"
import { dialect } from "./dialect.ts"
import { describe } from "./describe.ts"
import { diff } from "./diff.ts"
import { doctor } from "./doctor.ts"
import { explore } from "./explore.ts"
import { exporting } from "./export.ts"
import { fx } from "./fx.ts"
import { Printing, printingOf } from "./print/hints.ts"
import { init } from "./init.ts"
import { move } from "./move.ts"
import { nightly } from "./nightly.ts"
import { helpFormatter, usagePresenter, asksForVersion, printVersion } from "./print/help.ts"
import { plan } from "./plan.ts"
import { printFault, Stopped, printErrorJson } from "./print/printAnswer.ts"
import { prune } from "./prune.ts"
import { publish } from "./publish.ts"
import { pull } from "./pull.ts"
import { query } from "./query.ts"
import { release } from "./release.ts"
import { report } from "./report.ts"
import { replay } from "./replay.ts"
import { rollback } from "./rollback.ts"
import { runs } from "./runs.ts"
import { sandbox } from "./sandbox.ts"
import { lakeOnly } from "./flags/inLake.ts"
import { schedule } from "./schedule.ts"
import { search } from "./search.ts"
import { snapshots } from "./snapshots.ts"
import { watch } from "./watch.ts"
import { worker } from "./worker.ts"
import { warnings } from "./print/standardError.ts"
import { withoutKey } from "./print/withoutKey.ts"

const commands = Command.make("cardlake").pipe(
  Command.withDescription(
    "A trading-card marketplace's feed as a DuckDB lake, Parquet snapshots and an account of what changed"
  ),
  Command.withSubcommands([
    init,
    nightly,
    schedule,
    worker,
    plan,
    publish,
    backfill.pipe(Command.provide(warnings)),
    diff,
    snapshots,
    runs,
    release,
    replay,
    rollback,
    compact,
    prune,
    pull,
    move,
    describe.pipe(Command.provide((flags) => lakeOnly(flags, flags.markdown))),
    fx,
    query.pipe(Command.provide((flags) => lakeOnly(flags, !flags.allowFiles))),
    search.pipe(Command.provide((flags) => lakeOnly(flags))),
    collection,
    watch,
    report.pipe(Command.provide((flags) => lakeOnly(flags))),
    explore.pipe(Command.provide((flags) => lakeOnly(flags))),
    exporting,
    doctor.pipe(Command.provide(warnings)),
    dialect,
    sandbox,
    demo.pipe(Command.provide(warnings))
  ]),
  Command.withExamples([
    { command: "cardlake demo", description: "A lake of an invented marketplace, to look around in" },
    { command: "cardlake help nightly", description: "What a command does, its flags and examples" }
  ])
)

/** One sentence on standard error; a fault of the program in full. */
const explain = (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause)
  if (Cause.hasInterruptsOnly(cause) || error instanceof Stopped || CliError.isCliError(error)) return Effect.void
  const unloadable = withoutDuckDB(error)
  const exitCode = Runtime.getErrorExitCode(error)
  const isFault = unloadable === null && Cause.hasDies(cause)
  const reason = unloadable ?? (error instanceof Error ? error.message : String(error))
  return Effect.andThen(
    isFault ? Console.error(shownLines(Cause.pretty(cause))) : printFault(reason),
    printErrorJson({ error: nameOf(error), reason, exitCode })
  )
}

const nameOf = (error: unknown): string =>
  Predicate.hasProperty(error, "_tag") ? String(error._tag) : error instanceof Error ? error.name : "Error"

/** Joins `--max-age -1h`: a minus before a digit begins a value. By itself, `-1h` would be read as `-h`, help. */
const withValues = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.flatMap((arg, at) => {
    const isValue = (text: string | undefined, flag: string | undefined) =>
      /^-\d/.test(text ?? "") && /^--[^=]+$/.test(flag ?? "")
    if (isValue(arg, args[at - 1])) return []
    return isValue(args[at + 1], arg) ? [`${arg}=${args[at + 1]}`] : [arg]
  })

/** A query from a file may begin with a comment of SQL; with a space in front, it is no flag. */
const withQueries = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.map((arg) => (/^--(\s|[^=]*\n)/.test(arg) ? ` ${arg}` : arg))

const names = new Set(commands.subcommands.flatMap((group) => group.commands.map(({ name }) => name)))

/** `help nightly` is `nightly --help`. A command that is unknown is refused as it is anywhere else. */
const withHelp = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first, ...rest] = args
  if (first !== "help") return args
  const unknown = rest.find((name) => !names.has(name))
  return unknown === undefined ? [...rest, "--help"] : [unknown]
}

const run = Command.runWith(commands, { version: packageJson.version })

/** The command line: every command with its services, errors as one sentence, exit codes as designed. */
export const cardlake = (args: ReadonlyArray<string>) =>
  (asksForVersion(args) ? printVersion : run(withValues(withQueries(withHelp(args))))).pipe(
    Effect.provideService(CliOutput.Presenter, usagePresenter),
    Effect.provideServiceEffect(
      CliOutput.Formatter,
      Effect.map(TerminalCapabilities, ({ canColor }) => helpFormatter(canColor))
    ),
    Effect.tapCause(explain),
    Effect.provideServiceEffect(Printing, printingOf(args)),
    withoutKey,
    // The command line itself was wrong: usage and the reason have been printed.
    Effect.catchIf(CliError.isCliError, () => Effect.fail(new Stopped({ code: 2 })))
  )

/** A platform for which DuckDB has no binary, or an installation without it, as one sentence; null for any other cause. */
export const withoutDuckDB = (cause: unknown): string | null => {
  if (!(cause instanceof Error)) return null
  const [reason = ""] = cause.message.split("\n")
  if (!/duckdb\.node|duckdb native binding/.test(reason)) return null
  return `DuckDB cannot be loaded on ${process.platform}-${process.arch}: ${reason}. It has binaries for Linux, macOS and Windows on x64 and arm64: install Cardlake anew on one of them, with optional dependencies`
}
