import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { shellWord } from "../../src/feed/contract/shellWord.ts"
import { homeAddressFault, isBucket } from "../../src/store/home/bucket/homeAddress.ts"
import { readSetting } from "../settings/settingsProvider.ts"

export interface Printing {
  /** True if the command line has `--json`: then errors are also JSON on standard output. */
  readonly json: boolean
  /** Rewrites commands in a text, so that a copied one starts this program with the same home. */
  readonly hint: (text: string) => string
  /** Rewrites commands in JSON. Its reader lacks our settings, so commands also name a home that a setting names. */
  readonly hintInJson: (text: string) => string
}
export const Printing = Context.Reference<Printing>("cardlake/pipelines/Printing", {
  defaultValue: () => ({ json: false, hint: (text) => text, hintInJson: (text) => text })
})

const commandsOfLake = "describe|query|search|collection \\w+|watch \\w+|audit \\w+|front \\w+|report|explore|serve|mcp"
const commandsOfHome = `nightly|schedule|worker|plan|publish|backfill|diff|snapshots|runs|release|replay|rollback|compact|prune|changes|fx|export|status|doctor|${commandsOfLake}`
const hintPattern = (commands: string) => new RegExp(String.raw`\bcardlake (${commands})\b(?! --home)`, "g")
const [ofLake, ofHome] = [hintPattern(commandsOfLake), hintPattern(commandsOfHome)]
const program = new RegExp(
  String.raw`(?<!npx )\bcardlake (?=(${commandsOfHome}|pull|move|sandbox|demo|init|dialect)\b)`,
  "g"
)

/** Returns the home that the arguments name; null if none. */
const homeOfArgs = (args: ReadonlyArray<string>): string | null => {
  const at = args.findIndex((arg) => arg === "--home" || arg.startsWith("--home="))
  return (
    (args[at]?.startsWith("--home=") === true ? args[at].slice("--home=".length) : args[at + 1 || args.length]) ?? null
  )
}

/** Formats `--home` for a shell. A name that begins with a dash needs `=`, or it would be parsed as a flag. */
const formatHomeFlag = (home: string): string =>
  home.startsWith("-") ? `--home=${shellWord(home)}` : `--home ${shellWord(home)}`

/** True if npm started the program: it sets `npm_command`, and the program is `npx cardlake`. */
export const isStartedByNpm = Effect.map(Config.String("npm_command").pipe(Config.withDefault("")), (by) => by !== "")

/** True if hints may show the home. An invalid address may contain a secret. */
const isShowable = (home: string | null): home is string => home !== null && homeAddressFault(home) === null

/** True if `--json` occurs before `--`, after which nothing is a flag. */
const wantsJson = (args: ReadonlyArray<string>): boolean => {
  const end = args.indexOf("--")
  return args.slice(0, end === -1 ? undefined : end).some((arg) => arg === "--json" || arg === "--json=true")
}

/** Returns how a command prints. Hints name the home of `--home`; hints for a local lake name the bucket's copy. */
export const detectPrinting = (args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const byNpm = yield* isStartedByNpm
    const named = homeOfArgs(args)
    const home = named ?? (yield* readSetting({}, "CARDLAKE_HOME"))
    const ofCopy = isShowable(home) && isBucket(home) ? explainCopy(home) : (text: string) => text
    const hintNaming = (named: string | null) => {
      const flag = isShowable(named) ? formatHomeFlag(named) : null
      return (text: string) => {
        const copied = ofCopy(text)
        const ofThisHome = flag === null ? copied : copied.replaceAll(ofHome, (hint) => `${hint} ${flag}`)
        return byNpm ? ofThisHome.replaceAll(program, "npx $&") : ofThisHome
      }
    }
    return { json: wantsJson(args), hint: hintNaming(named), hintInJson: hintNaming(home) } satisfies Printing
  })

/** Adds how to make the copy, if a hint in the text needs it. */
const explainCopy = (home: string) => (text: string) =>
  text.search(ofLake) === -1
    ? text
    : `${text.replaceAll(ofLake, (hint) => `${hint} --home DIR`)}\nDIR is a copy of the lake: cardlake pull ${formatHomeFlag(home)} --to DIR`
