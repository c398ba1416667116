import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { snapshotTables } from "../../../../src/feed/schema/snapshotTables.ts"
import { replicated } from "./replica.ts"

const guide = readFileSync(new URL("../../../../data/guide/changes.md", import.meta.url), "utf8")

/** The columns of each table, as `column: status`, by the page's last table. */
const documented = () => {
  const found: Record<string, Array<string>> = {}
  let table = ""
  for (const line of guide.split("\n")) {
    const [, name = "", columns = "", status = ""] =
      /^\|\s*(.*?)\s*\| (`.*`) \| (key|yes|place|no) \|$/.exec(line) ?? []
    if (status === "") continue
    if (name !== "") table = name.replaceAll("`", "")
    found[table] = [
      ...(found[table] ?? []),
      ...columns.split(", ").map((one) => `${one.replaceAll("`", "")}: ${status}`)
    ]
  }
  return found
}

it("the page of changes names every column of every current table once, and whether the feed has it", () => {
  const expected = snapshotTables.map(({ columns, name }) => {
    const [keys, without] = replicated[name] ?? [[], columns.map((column) => column.name)]
    const statusOf = (column: string) => {
      if (without.includes(column)) return "no"
      if (column === "position") return "place"
      return column === "game_id" || keys.includes(column) ? "key" : "yes"
    }
    return [name, columns.map((column) => `${column.name}: ${statusOf(column.name)}`).toSorted()]
  })
  const found = Object.entries(documented()).map(([name, columns]) => [name, columns.toSorted()])
  assert.deepStrictEqual(found, expected)
})
