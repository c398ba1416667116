import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** A package whose code is in ours. */
export interface ThirdParty {
  /** Its folder in the checkout. */
  readonly path: string
  readonly name: string
  readonly version: string
  readonly license: string
  /** The text of its licence; its package.json's word if it has none. */
  readonly text: string
}

/** The packages that files belong to, by name. Fails for one without a licence. */
export const thirdParties = (root: string, files: ReadonlyArray<string>): ReadonlyArray<ThirdParty> => {
  const paths = new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []))
  return [...paths].map((path) => thirdParty(root, path)).sort((a, b) => a.name.localeCompare(b.name))
}

const thirdParty = (root: string, path: string): ThirdParty => {
  const { author, license, name, version } = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"))
  if (typeof license !== "string") throw new Error(`${path}/package.json names no licence`)
  const files = readdirSync(join(root, path)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  const texts = files.sort().map((file) => readFileSync(join(root, path, file), "utf8").trim())
  const by = typeof author === "string" ? author : (author?.name ?? "its authors")
  const text =
    texts.length === 0 ? `Copyright ${by}. The package says "${license}" and has no text of it.` : texts.join("\n\n")
  return { path, name, version, license, text }
}

/** `THIRD-PARTY.txt`: every package in the code with its licence; packages with the same text share it. */
export const thirdPartyText = (parties: ReadonlyArray<ThirdParty>): string => {
  const byText = Map.groupBy(parties, ({ text }) => text)
  const sections = [...byText].map(([text, of]) =>
    [...of.map(({ license, name, version }) => `${name} ${version} (${license})`), "", text].join("\n")
  )
  const intro = "Cardlake's code contains code of these packages, each under the licence that follows it."
  return `${[intro, ...sections].join(`\n\n${"-".repeat(80)}\n\n`)}\n`
}
