import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

const specification = join(import.meta.dirname, "../../../shared/spec/marketplace-api.md")
const open = "not yet"

interface Held {
  readonly heading: string
  readonly rows: ReadonlyArray<string>
  readonly test: string
}

const plain = (cell: string) => cell.trim().replaceAll("`", "")

/** Cells of a Markdown row. */
const cellsOf = (line: string) => line.replace(/^\|/, "").replace(/\|$/, "").split("|")

/** The rows of `specTable.md`. */
const held = [
  ...readFileSync(join(import.meta.dirname, "specTable.md"), "utf8").matchAll(
    /^\| of the specification .+\n.+\n((?:\|.+\n)+)/gm
  )
]
  .flatMap((match) => (match[1] ?? "").trimEnd().split("\n"))
  .map((line): Held => {
    const [heading = "", rows = "", ...test] = cellsOf(line)
    const names = [...rows.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "")
    return { heading: heading.trim(), rows: names, test: test.join("|").trim() }
  })

/** The tests of what is ours. */
const ours = [
  ...readFileSync(join(import.meta.dirname, "specTable.md"), "utf8").matchAll(/^\| ours .+\n.+\n((?:\|.+\n)+)/gm)
]
  .flatMap((match) => (match[1] ?? "").trimEnd().split("\n"))
  .map((line) => ({ test: (cellsOf(line)[1] ?? "").trim() }))

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
      rows = []
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

/** Titles of the tests of a file; `${...}` in one matches anything. */
const titlesOf = (file: string): ReadonlyArray<RegExp> => {
  const text = readFileSync(join(import.meta.dirname, "..", file), "utf8")
  const titles = text.matchAll(
    /\bit(?:\.\w+)*(?:\([^()\n]*(?:\([^()]*\))?[^()\n]*\))?\(\s*(["`])((?:\\.|(?!\1)[^])*)\1/g
  )
  return [...titles].map(
    (match) =>
      new RegExp(
        `^${(match[2] ?? "")
          .split(/\$\{[^]*?\}(?=[^}]*$|[^}]*\$)/)
          .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
          .join(".*")}$`
      )
  )
}

describe("the table of the specification", () => {
  it("names only tests that are there", () => {
    assert.isAbove(held.length, 50)
    assert.isNotEmpty(ours)
    for (const { test } of [...held.filter((each) => each.test !== open), ...ours]) {
      const [, file = "", title = ""] = /^`([\w/.]+\.test\.ts)`: (.+)$/.exec(test) ?? []
      assert.isTrue(file !== "" && existsSync(join(import.meta.dirname, "..", file)), test)
      assert.isTrue(
        titlesOf(file).some((each) => each.test(title)),
        test
      )
    }
  })

  it("leaves no row of the specification without a test", () => {
    const rows = held
      .filter(({ test }) => test === open)
      .flatMap(({ heading, rows }) => rows.map((row) => `${heading}: ${row}`))
    if (rows.length > 0)
      console.log(`${rows.length} rows of the specification have no test yet:\n  ${rows.join("\n  ")}`)
    assert.isAtMost(rows.length, 0)
  })

  const reason = existsSync(specification) ? "" : " (skipped: there is no shared/spec beside the repository)"
  it.skipIf(reason !== "")(`has every heading, row and rule of the specification once${reason}`, () => {
    const spec = specified(readFileSync(specification, "utf8"))
    assert.deepStrictEqual(new Set(held.map(({ heading }) => heading)), new Set(spec.keys()))
    for (const [heading, rows] of spec) {
      const told = held.filter((each) => each.heading === heading).flatMap((each) => each.rows)
      assert.deepStrictEqual(told.toSorted(), rows.toSorted(), heading)
    }
  })
})
