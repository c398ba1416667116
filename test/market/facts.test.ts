import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { documents } from "./facts/Fact.ts"
import { lineOf, runFacts } from "./facts/runFacts.ts"
import { sections } from "./facts/sections.ts"

const fileOf = (document: keyof typeof documents) =>
  join(import.meta.dirname, "../../../shared/spec", documents[document])
const plain = (cell: string) => cell.trim().replaceAll("`", "")

/** Cells of a Markdown row. */
const cellsOf = (line: string) => line.replace(/^\|/, "").replace(/\|$/, "").split("|")

/**
 * Headings of the specification, with the first cells of their tables and the numbers of their
 * rules. A heading ends before a bracket; an endpoint has method and path.
 */
const specified = (text: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const found = new Map<string, Array<string>>()
  let rows: Array<string> = []
  let heading = ""
  let inBody = false
  for (const line of text.split("\n")) {
    const [, title] = /^#+ (.+)$/.exec(line) ?? []
    const [, rule] = /^(\d+)\. /.exec(line) ?? []
    if (title !== undefined) {
      heading = plain(title.replace(/ \(.*/, ""))
      rows = found.get(heading) ?? []
      found.set(heading, rows)
    }
    if (rule !== undefined) rows.push(`rule ${rule}`)
    if (inBody && line.startsWith("|")) {
      const cells = cellsOf(line).map(plain)
      rows.push(heading === "Endpoint list" ? `${cells[0]} ${cells[1]}` : (cells[0] ?? ""))
    }
    inBody = line.startsWith("|") && (inBody || /^\|[\s|-]+$/.test(line))
  }
  return found
}

describe("the facts of the specification", () => {
  it("hold in a default sandbox, from outside", { timeout: 600_000 }, async () => {
    const results = await runFacts(sections)
    const failed = results.filter(({ outcome }) => outcome.is === "failed").map(lineOf)
    assert.deepStrictEqual(failed, [])
  })

  it("import nothing of the project: they are an independent reading", () => {
    const folder = join(import.meta.dirname, "facts")
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".ts")
    ))
      for (const [, from = ""] of readFileSync(join(folder, file), "utf8").matchAll(/ from "([^"]+)"/g)) {
        const isOwn = from.startsWith(".") && !relative(folder, join(folder, dirname(file), from)).startsWith("..")
        assert.isTrue(isOwn || from.startsWith("node:"), `${file} imports ${from}`)
      }
  })

  it("are each said once in their section", () => {
    for (const { facts, heading } of sections) {
      const sentences = facts.map(({ rows, says }) => `${rows.join(" ")}: ${says}`)
      assert.deepStrictEqual(
        sentences.filter((each, place) => sentences.indexOf(each) !== place),
        [],
        heading
      )
    }
  })

  const reason = existsSync(fileOf("spec")) ? "" : " (skipped: there is no shared/spec beside the repository)"
  it.skipIf(reason !== "")(`cover every heading, row and rule of the specification, in its order${reason}`, () => {
    const spec = specified(readFileSync(fileOf("spec"), "utf8"))
    const ofSpec = sections.filter(({ document }) => document === "spec")
    assert.deepStrictEqual([...new Set(ofSpec.map(({ heading }) => heading))], [...spec.keys()])
    for (const [heading, rows] of spec) {
      const facts = ofSpec.filter((each) => each.heading === heading).flatMap((each) => each.facts)
      assert.isNotEmpty(facts, heading)
      assert.deepStrictEqual(new Set(facts.flatMap((fact) => fact.rows)), new Set(rows), heading)
    }
  })

  it.skipIf(reason !== "")(`cover the sections of what is beyond the specification${reason}`, () => {
    const headings = [...readFileSync(fileOf("beyond"), "utf8").matchAll(/^## (.+?)(?: \(.*)?$/gm)].map(
      (match) => match[1] ?? ""
    )
    const covered = sections.filter(({ document }) => document === "beyond").map(({ heading }) => heading)
    assert.deepStrictEqual(
      covered,
      headings.filter((heading) => !heading.endsWith("Still unknown"))
    )
  })
})
