import { documents, type Section } from "./Fact.ts"
import type { Result } from "./runFacts.ts"

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
export const tableOf = (results: ReadonlyArray<Result>): string => {
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
