import * as Context from "effect/Context"

/** The home that `--home` names, quoted for a shell; null if hints need not name it. */
export const HintHome = Context.Reference<string | null>("cardlake/pipelines/HintHome", { defaultValue: () => null })

const ofHome =
  /\bcardlake (nightly|schedule|diff|snapshots|runs|release|replay|rollback|compact|prune|describe|fx|query|explore|doctor)\b(?! --home)/g

/** A text whose hints name the home in use, so that a copied hint uses the same one. */
export const withHome = (text: string, home: string | null): string =>
  home === null ? text : text.replaceAll(ofHome, (hint) => `${hint} --home ${home}`)

/** What a command line says after `--home`. */
export const homeOfArgs = (args: ReadonlyArray<string>): string | null => {
  const at = args.findIndex((arg) => arg === "--home" || arg.startsWith("--home="))
  const home = args[at]?.startsWith("--home=") === true ? args[at].slice("--home=".length) : args[at + 1]
  if (at === -1 || home === undefined) return null
  return /^[\w./:@%+=-]+$/.test(home) ? home : `'${home.replaceAll("'", String.raw`'\''`)}'`
}
