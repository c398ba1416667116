import type { Fact, Section } from "./Fact.ts"
import { lineOf, runFacts } from "./runFacts.ts"
import { sections } from "./sections.ts"
import { tableOf } from "./tableOf.ts"

/** `node test/market/facts/main.ts [--table] [words of a fact]`; --table prints a table of all in Markdown. */
const asked = process.argv.slice(2).filter((word) => word !== "--table")
const isAsked = (heading: string, { rows, says }: Fact) =>
  asked.every((word) => `${heading} ${rows.join(" ")} ${says}`.toLowerCase().includes(word.toLowerCase()))
const chosen = sections.map(({ document, facts, heading }): Section => ({
  document,
  heading,
  facts: facts.filter((fact) => isAsked(heading, fact))
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
