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
import { command, group, lakeCommand, provideLake, plainCommand } from "./command.ts"
import { asksForVersion, helpFormatter, printVersion, usagePresenter } from "./print/help.ts"
import { Printing, detectPrinting } from "./print/hints.ts"
import { printErrorJson, printSentence, Stopped } from "./print/printAnswer.ts"
import { withoutKey } from "./print/withoutKey.ts"
import * as copies from "./specs/copies.ts"
import * as nights from "./specs/nights.ts"
import * as own from "./specs/own.ts"
import * as reading from "./specs/reading.ts"
import * as setup from "./specs/setup.ts"
import * as snapshots from "./specs/snapshots.ts"

const commands = Command.make("cardlake").pipe(
  Command.withDescription(
    "Read a trading-card marketplace into a DuckDB lake of Parquet snapshots, and report changes"
  ),
  Command.withSubcommands([
    command(setup.init, () => import("./init.ts").then(({ init }) => init)),
    command(nights.nightly, () => import("./nightly.ts").then(({ nightly }) => nightly)),
    command(nights.schedule, () => import("./schedule.ts").then(({ schedule }) => schedule)),
    command(nights.worker, () => import("./worker.ts").then(({ worker }) => worker)),
    command(nights.plan, () => import("./plan.ts").then(({ plan }) => plan)),
    command(nights.publish, () => import("./publish.ts").then(({ publish }) => publish)),
    command(nights.backfill, () => import("./backfill.ts").then(({ backfill }) => backfill)),
    command(snapshots.diff, () => import("./diff.ts").then(({ diff }) => diff)),
    command(snapshots.snapshots, () => import("./snapshots.ts").then(({ snapshots }) => snapshots)),
    command(snapshots.runs, () => import("./runs.ts").then(({ runs }) => runs)),
    command(snapshots.release, () => import("./release.ts").then(({ release }) => release)),
    command(snapshots.replay, () => import("./replay.ts").then(({ replay }) => replay)),
    command(snapshots.rollback, () => import("./rollback.ts").then(({ rollback }) => rollback)),
    command(snapshots.compact, () => import("./compact.ts").then(({ compact }) => compact)),
    command(snapshots.prune, () => import("./prune.ts").then(({ prune }) => prune)),
    command(copies.pull, () => import("./pull.ts").then(({ pull }) => pull)),
    command(copies.move, () => import("./move.ts").then(({ move }) => move)),
    lakeCommand(
      reading.describe,
      () => import("./describe.ts").then(({ describe }) => describe),
      (input) => provideLake(input, input.markdown)
    ),
    command(reading.fx, () => import("./fx.ts").then(({ fx }) => fx)),
    lakeCommand(
      reading.query,
      () => import("./query.ts").then(({ query }) => query),
      (input) => provideLake(input, !input.allowFiles)
    ),
    command(reading.changes, () => import("./changes.ts").then(({ changes }) => changes)),
    lakeCommand(reading.search, () => import("./search.ts").then(({ search }) => search)),
    group(own.collection, [
      lakeCommand(own.importCollection, () => import("./collection.ts").then(({ importing }) => importing)),
      lakeCommand(own.reviewCollection, () => import("./collection.ts").then(({ review }) => review)),
      lakeCommand(own.listCollections, () => import("./collection.ts").then(({ list }) => list)),
      lakeCommand(own.restoreCollection, () => import("./collection.ts").then(({ restore }) => restore)),
      lakeCommand(own.removeCollection, () => import("./collection.ts").then(({ remove }) => remove))
    ]),
    group(own.watch, [
      lakeCommand(own.addWatch, () => import("./watch.ts").then(({ add }) => add)),
      lakeCommand(own.listWatched, () => import("./watch.ts").then(({ list }) => list)),
      lakeCommand(own.removeWatch, () => import("./watch.ts").then(({ remove }) => remove))
    ]),
    group(own.audit, [
      lakeCommand(own.confirmIds, () => import("./audit.ts").then(({ confirm }) => confirm)),
      lakeCommand(own.listConfirmed, () => import("./audit.ts").then(({ list }) => list)),
      lakeCommand(own.doubtIds, () => import("./audit.ts").then(({ doubt }) => doubt))
    ]),
    lakeCommand(reading.report, () => import("./report.ts").then(({ report }) => report)),
    lakeCommand(reading.explore, () => import("./explore.ts").then(({ explore }) => explore)),
    lakeCommand(reading.serve, () => import("./serve.ts").then(({ serve }) => serve)),
    lakeCommand(reading.mcp, () => import("./mcp.ts").then(({ mcp }) => mcp)),
    command(copies.exporting, () => import("./export.ts").then(({ exporting }) => exporting)),
    group(copies.front, [command(copies.publishFront, () => import("./front.ts").then(({ publish }) => publish))]),
    command(setup.status, () => import("./status.ts").then(({ status }) => status)),
    command(setup.doctor, () => import("./doctor.ts").then(({ doctor }) => doctor)),
    command(setup.dialect, () => import("./dialect.ts").then(({ dialect }) => dialect)),
    plainCommand(setup.sandbox, () => import("./sandbox.ts").then(({ sandbox }) => sandbox)),
    command(setup.demo, () => import("./demo.ts").then(({ demo }) => demo))
  ]),
  Command.withExamples([
    { command: "cardlake demo", description: "Make a demo lake of an invented marketplace" },
    { command: "cardlake help nightly", description: "Show a command's description, flags and examples" }
  ])
)

/** Prints an expected error as one sentence on standard error, and a defect with its stack. */
const explain = (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause)
  if (Cause.hasInterruptsOnly(cause) || error instanceof Stopped || CliError.isCliError(error)) return Effect.void
  const unloadable = withoutDuckDB(error)
  const exitCode = Runtime.getErrorExitCode(error)
  const isFault = unloadable === null && Cause.hasDies(cause)
  const reason = unloadable ?? (error instanceof Error ? error.message : String(error))
  return Effect.andThen(
    isFault ? Console.error(shownLines(Cause.pretty(cause))) : printSentence(reason),
    printErrorJson({ error: errorName(error), reason, exitCode })
  )
}

const errorName = (error: unknown): string =>
  Predicate.hasProperty(error, "_tag") ? String(error._tag) : error instanceof Error ? error.name : "Error"

/** Joins `--max-age` and `-1h`: a minus before a digit begins a value. Alone, `-1h` would be parsed as `-h`, help. */
const withValues = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.flatMap((arg, at) => {
    const isValue = (text: string | undefined, flag: string | undefined) =>
      /^-\d/.test(text ?? "") && /^--[^=]+$/.test(flag ?? "")
    if (isValue(arg, args[at - 1])) return []
    return isValue(args[at + 1], arg) ? [`${arg}=${args[at + 1]}`] : [arg]
  })

/** Puts a space before a query that begins with a SQL comment, so that it is not parsed as a flag. */
const withQueries = (args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.map((arg) => (/^--(\s|[^=]*\n)/.test(arg) ? ` ${arg}` : arg))

const names = new Set(commands.subcommands.flatMap((group) => group.commands.map(({ name }) => name)))

/** Rewrites `help nightly` to `nightly --help`. The parser rejects unknown commands as usual. */
const withHelp = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first, ...rest] = args
  if (first !== "help") return args
  const unknown = rest.find((name) => !names.has(name))
  return unknown === undefined ? [...rest, "--help"] : [unknown]
}

const run = Command.runWith(commands, { version: packageJson.version })

/** Runs the command line: every command with its services, errors as one sentence, and exit codes. */
export const cardlake = (args: ReadonlyArray<string>) =>
  (asksForVersion(args) ? printVersion : run(withValues(withQueries(withHelp(args))))).pipe(
    Effect.provideService(CliOutput.Presenter, usagePresenter),
    Effect.provideServiceEffect(
      CliOutput.Formatter,
      Effect.map(TerminalCapabilities, ({ canColor }) => helpFormatter(canColor))
    ),
    Effect.tapCause(explain),
    Effect.provideServiceEffect(Printing, detectPrinting(args)),
    withoutKey,
    // The command line was invalid: usage and reason are already printed.
    Effect.catchIf(CliError.isCliError, () => Effect.fail(new Stopped({ code: 2 })))
  )

/** Explains in one sentence that DuckDB has no binary here, or is not installed; null for any other cause. */
export const withoutDuckDB = (cause: unknown): string | null => {
  if (!(cause instanceof Error)) return null
  const [reason = ""] = cause.message.split("\n")
  if (!/duckdb\.node|duckdb native binding/.test(reason)) return null
  return `DuckDB cannot be loaded on ${process.platform}-${process.arch}: ${reason}. It has binaries for Linux, macOS and Windows on x64 and arm64. Reinstall Cardlake there, with optional dependencies`
}
