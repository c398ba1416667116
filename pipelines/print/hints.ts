import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { shellWord } from "../../src/contract/shellWord.ts"
import { settingsProvider } from "../settings/settingsProvider.ts"

/** Rewrites the commands that a text hints at, so that a copied one starts this program and uses the same home. */
export const Hints = Context.Reference<(text: string) => string>("cardlake/pipelines/Hints", {
  defaultValue: () => (text) => text
})

const commandsOfHome =
  "nightly|schedule|backfill|diff|snapshots|runs|release|replay|rollback|compact|prune|describe|fx|query|search|collection \\w+|watch \\w+|report|explore|export|doctor"
const ofHome = new RegExp(String.raw`\bcardlake (${commandsOfHome})\b(?! --home)`, "g")
const program = new RegExp(String.raw`(?<!npx )\bcardlake (?=(${commandsOfHome}|sandbox|demo|init|dialect)\b)`, "g")

/** `--home` as a command line has it, quoted for a shell; null if it names no home. */
const homeOfArgs = (args: ReadonlyArray<string>): string | null => {
  const at = args.findIndex((arg) => arg === "--home" || arg.startsWith("--home="))
  const home = args[at]?.startsWith("--home=") === true ? args[at].slice("--home=".length) : args[at + 1]
  if (at === -1 || home === undefined) return null
  // Apart, a name that begins with a dash would be another flag.
  return home.startsWith("-") ? `--home=${shellWord(home)}` : `--home ${shellWord(home)}`
}

/** Started by npm, which sets `npm_command`, the program is `npx cardlake`; otherwise it is installed. */
export const isStartedByNpm = Effect.map(Config.String("npm_command").pipe(Config.withDefault("")), (by) => by !== "")

/** Whoever reads JSON has none of the settings, so that a hint names the home of a setting, too. */
export const HintsInJson = Context.Reference<(text: string) => string>("cardlake/pipelines/HintsInJson", {
  defaultValue: () => (text) => text
})

/** The home that a setting names; null = none, or the settings cannot be read. */
const homeOfSetting = Effect.flatMap(settingsProvider({}), (provider) =>
  Config.String("CARDLAKE_HOME").parse(provider)
).pipe(
  Effect.map((home) => homeOfArgs([`--home=${home}`])),
  Effect.orElseSucceed(() => null)
)

export const hintsInJsonOf = (args: ReadonlyArray<string>) =>
  Effect.flatMap(homeOfSetting, (home) => hintsOf(args, home))

/** Hints name the home that `--home` names, else `otherwise`. */
export const hintsOf = (args: ReadonlyArray<string>, otherwise: string | null = null) =>
  Effect.map(isStartedByNpm, (byNpm) => {
    const home = homeOfArgs(args) ?? otherwise
    return (text: string) => {
      const ofThisHome = home === null ? text : text.replaceAll(ofHome, (hint) => `${hint} ${home}`)
      return byNpm ? ofThisHome.replaceAll(program, "npx $&") : ofThisHome
    }
  })
