import { type Fact, type Section, documents } from "./Fact.ts"
import { lineOf, runFacts, type Result } from "./runFacts.ts"
import { sections } from "./sections.ts"

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ")

const rowOf = ({ fact, heading, outcome }: Result) => {
  const rows = fact.rows.map((row) => `\`${row}\``).join(" ")
  const came = outcome.is === "not to be tried" ? `not to be tried: ${outcome.why}` : outcome.is
  return `| ${cell(heading)} | ${cell(rows)} | ${cell(fact.says)} | ${cell(came)} |`
}

const titles: Readonly<Record<Section["document"], string>> = {
  spec: "The specification",
  beyond: "Beyond the specification",
  live: "The live service",
  ours: "Where neither document has a figure"
}

/** The table of all facts, as Markdown. */
const tableOf = (results: ReadonlyArray<Result>): string => {
  const count = (is: string) => results.filter(({ outcome }) => outcome.is === is).length
  const parts = (Object.keys(documents) as ReadonlyArray<Section["document"]>).map((document) => {
    const rows = results.filter((result) => result.document === document).map(rowOf)
    const head = [`## ${titles[document]}`, "", "| heading | rows | fact | tried |", "| --- | --- | --- | --- |"]
    return head.concat(rows, "")
  })
  return [
    "# Facts of the specification",
    "",
    "Each heading, table row and numbered rule of the marketplace's documents, what it says in our words, and what came of",
    "trying it on a sandbox from outside. `node test/market/facts/main.ts --table` printed this.",
    "",
    `${results.length} facts: ${count("held")} held, ${count("failed")} failed, ${count("not to be tried")} not to be tried.`,
    "",
    ...parts.flat()
  ].join("\n")
}

/** `node test/market/facts/main.ts [--table] [words of a fact]`; --table prints a table of all in Markdown. */
const words = process.argv.slice(2).filter((word) => word !== "--table")
const isChosen = (heading: string, { rows, says }: Fact) =>
  words.every((word) => `${heading} ${rows.join(" ")} ${says}`.toLowerCase().includes(word.toLowerCase()))
const chosen = sections.map(({ document, facts, heading }): Section => ({
  document,
  heading,
  facts: facts.filter((fact) => isChosen(heading, fact))
}))
const isTable = process.argv.includes("--table")
const startedAt = performance.now()
const results = await runFacts(chosen, (result) => isTable || console.log(lineOf(result)))
const count = (is: string) => results.filter(({ outcome }) => outcome.is === is).length
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
console.log(
  isTable
    ? tableOf(results)
    : `${results.length} facts in ${seconds} s: ${count("held")} held, ${count("failed")} failed, ${count("not to be tried")} not to be tried`
)
process.exitCode = count("failed") > 0 || results.length === 0 ? 1 : 0
