import * as CliOutput from "effect/cli/CliOutput"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import packageJson from "../../package.json" with { type: "json" }
import { stripVTControlCharacters } from "node:util"
import type { HelpDoc } from "effect/cli/HelpDoc"
import { screenWidth, measureText, wrapText } from "../../src/night/observe/shortTexts.ts"
import { shownText } from "../../src/feed/contract/shownText.ts"
import { isStartedByNpm } from "./hints.ts"
import { printErrorJson, wrapLines } from "./printAnswer.ts"

/** Min columns for a description beside its flag. */
const readable = 30

/** Removes choices from a flag's type, because its description lists them. */
const withoutChoices = (doc: HelpDoc): HelpDoc => ({
  ...doc,
  globalFlags: (doc.globalFlags ?? []).map(({ type, ...flag }) =>
    Object.assign(flag, { type: type.startsWith("<") ? "choice" : type })
  )
})

/** Matches the columns of a flag, then its description. */
const beside = /^( {2}\S.*?(?: {2,}))(\S.*)$/

/** Wraps a line of the help between words. Commands to copy are not wrapped. */
const wrapHelp = (line: string, room: number): ReadonlyArray<string> => {
  const plain = stripVTControlCharacters(line)
  if (measureText(plain) <= room || plain.startsWith("  cardlake ")) return [line]
  const [, flag, description = ""] = beside.exec(plain) ?? []
  if (flag === undefined) return wrapText(line, room, "  ")
  const column = measureText(flag)
  if (column + readable <= room) return wrapText(line, room, " ".repeat(column))
  return [flag.trimEnd(), ...wrapText(`      ${description}`, room, "      ")]
}

/** Formats the help of every command for the terminal's width. */
export const helpFormatter = (canColor: boolean): CliOutput.Formatter => {
  const formatter = CliOutput.defaultFormatter({ colors: canColor })
  return {
    ...formatter,
    formatHelpDoc: (doc) => {
      const help = formatter.formatHelpDoc(withoutChoices(doc))
      const room = screenWidth()
      if (room === null) return help
      return help
        .split("\n")
        .flatMap((line) => wrapHelp(line, room))
        .join("\n")
    }
  }
}

/** Formats an error as one sentence. Suggestions of the parser follow, one per line. */
const formatError = ({ message }: { readonly message: string }): string => {
  const [what = "", asks, ...proposed] = message.split(/\n\s*/)
  return asks === undefined ? what : `${what}. Did you mean ${proposed.join(" or ")}?`
}

/** Prints answers to standard output, else to standard error: a wrong command as error, usage and help. */
export const usagePresenter: CliOutput.Presenter = {
  present: (event) => {
    const presented = CliOutput.defaultPresenter.present(event)
    if (event._tag === "Version" || (event._tag === "Help" && event.reason === "Requested")) return presented
    if (event._tag === "Help")
      return Console.consoleWith((console) =>
        Effect.provideService(presented, Console.Console, { ...console, log: console.error })
      )
    return Effect.gen(function* () {
      const program = (yield* Effect.orElseSucceed(isStartedByNpm, () => false)) ? "npx " : ""
      const reason = event.errors.map(formatError).join("; ")
      const usage = `${program}${event.helpDoc.usage}`
      const lines = [
        `cardlake: ${shownText(reason)}`,
        `Usage: ${usage}`,
        `Help:  ${program}${event.commandPath.join(" ")} --help`
      ]
      yield* Console.error(wrapLines(lines.join("\n"), screenWidth(process.stderr)))
      yield* printErrorJson({ error: "WrongUsage", reason, exitCode: 2, usage })
    })
  }
}

/** Prints `--version --json`: program, formats that it reads and writes, and platform. */
export const printVersion = Effect.gen(function* () {
  const { contractVersion } = yield* Effect.promise(() => import("../../src/feed/schema/snapshotTables.ts"))
  const { homeFormat } = yield* Effect.promise(() => import("../../src/store/home/HomeMarker.ts"))
  const duckdb = yield* Effect.promise(() => import("@duckdb/node-api"))
  const facts = {
    version: packageJson.version,
    contractVersion,
    homeFormat,
    node: process.versions.node,
    duckdb: duckdb.version(),
    platform: `${process.platform}-${process.arch}`
  }
  yield* Console.log(JSON.stringify(facts))
})

/** True if the arguments ask for the version as JSON, in either order. */
export const asksForVersion = (args: ReadonlyArray<string>): boolean =>
  args.length === 2 && args.includes("--version") && args.includes("--json")
