import { folderHere } from "../support/place.ts"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { cardlake } from "./cli.ts"
import { game, servedNights } from "./servedNights.ts"

const formats = ["table", "json", "ndjson", "csv", "markdown", "html"] as const
const folder = folderHere()
const { env, published } = await servedNights()
/** The newest night's changes by format; moves from 5 % up, as the sample has none of 20 %. */
const printed = new Map<string, string>()

beforeAll(async () => {
  for (const format of formats) printed.set(format, await diff("--format", format, ...bounds))
})

const bounds = ["--min-move", "5", "--min-price", "0.5"]
const ask = async (...args: ReadonlyArray<string>) => {
  const ended = await cardlake(args, { env, cwd: folder })
  assert.strictEqual(ended.code, 0, ended.stderr)
  return ended.stdout
}
const diff = (...args: ReadonlyArray<string>) => ask("diff", game, ...args)
const textOf = (format: (typeof formats)[number]) => printed.get(format) ?? ""

interface Notes {
  readonly gameName: string
  readonly changes: { readonly products: { readonly added: number; readonly removed: number } }
  readonly sections: ReadonlyArray<{
    readonly section: string
    readonly total: number
    readonly lines: ReadonlyArray<Record<string, string | null>>
  }>
}
const parsed = (text: string) => JSON.parse(text) as Notes
const changes = () =>
  textOf("ndjson")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Readonly<Record<string, string | number | null>>)

describe("diff --format", () => {
  it("csv prints every change as the table changes has it", async () => {
    const sql = `select * from changes where to_snapshot = '${published[3]}' order by entity, id, field nulls first`
    assert.strictEqual(textOf("csv"), await ask("query", "--csv", sql))
    assert.match(textOf("csv"), /^game_id,from_snapshot,to_snapshot,entity,id,change,class,field,old,new\n/)
  })

  it("ndjson prints the same, one object per line", () => {
    const [head = "", ...lines] = textOf("csv").trimEnd().split("\n")
    const cell = (value: string | number | null | undefined) => {
      const text = String(value ?? "")
      return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
    }
    assert.isAbove(lines.length, 100)
    assert.deepStrictEqual(
      changes().map((row) =>
        head
          .split(",")
          .map((name) => cell(row[name]))
          .join(",")
      ),
      lines
    )
  })

  it("json is what --json prints, and still has the keys from before there were sections", async () => {
    assert.strictEqual(textOf("json"), await diff("--json", ...bounds))
    const keys =
      "gameId from to fromDeployment toDeployment changes unclaimedRemovals reconciliation catalogue prices unexplained"
    assert.includeMembers(Object.keys(parsed(textOf("json"))), keys.split(" "))
  })

  it("table shows counts, the changelog's part, the sections and the first changes", async () => {
    const text = await diff()
    assert.match(
      text,
      /^Changelog: \d+ items confirmed, 0 claimed but not seen, 0 seen but not claimed, 0 unexplained\.$/m
    )
    assert.match(text, /^product +\d+ .* added /m)
    assert.match(text, /^Largest moves of market value$/m)
    assert.match(textOf("table"), /^products +\d+ +\d+ +\d+ +\d+ +\d+$/m)
    assert.match(textOf("table"), /^Added: \d+ products, 1 expansion$/m)
    assert.match(textOf("table"), /^Removed: \d+ products$/m)
    assert.match(textOf("table"), /^Renamed: \d+ products, 1 expansion$/m)
    assert.match(
      textOf("table"),
      /^Largest moves of market value\n *id +name +finish +source +old +new +currency +moved/m
    )
    assert.match(textOf("table"), /^Price moves: \d+ products$[\s\S]+^… and \d+ more$/m)
  })

  it("markdown and html have a heading per section and every line of json", () => {
    const [found, markdown, html] = [parsed(textOf("json")), textOf("markdown"), textOf("html")]
    assert.isAbove(found.sections.length, 4)
    assert.match(markdown, new RegExp(`^# ${found.gameName}: what changed\n`))
    assert.strictEqual(markdown.match(/^## /gm)?.length, found.sections.length)
    assert.strictEqual(html.match(/<svg /g)?.length, 2)
    for (const { lines, section, total } of found.sections) {
      assert.include(html, `<details open id="${section}"`)
      assert.strictEqual(lines.length, Math.min(total, 200))
      for (const line of lines) {
        const cell = line["id"] ?? line["field"] ?? ""
        assert.include(html, `>${cell}</td>`)
        assert.include(markdown, `| ${cell.replaceAll("_", String.raw`\_`)} |`)
      }
    }
  })
})

describe("diff", () => {
  const wrong: ReadonlyArray<readonly [args: ReadonlyArray<string>, says: RegExp]> = [
    [["--json", "--format", "csv"], /^cardlake: Choose one of --json and --format csv\n$/],
    [["--spreadsheet", "--json"], /^cardlake: --spreadsheet is for CSV\. Add --format csv\n$/],
    [["--format", "pdf"], /format/],
    [["--min-price", "-1"], /min-price/]
  ]
  for (const [args, says] of wrong) {
    it(`refuses ${args.join(" ")}, exit code 2`, async () => {
      const ended = await cardlake(["diff", game, ...args], { env, cwd: folder })
      assert.strictEqual(ended.code, 2)
      assert.match(ended.stderr, says)
    })
  }
})
