import { afterEach, assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { displayWidth } from "effect/cli/CliOutput"
import { cardlake, json, main, node, remove, start, temporaryFolder } from "./cli.ts"

const { columns, isTTY } = process.stdout
afterEach(() => Object.assign(process.stdout, { columns, isTTY }))

/** Runs a command as if standard output were a terminal of so many columns. */
const onTerminal = async (columns: number, args: ReadonlyArray<string>, env: Record<string, string> = {}) => {
  Object.assign(process.stdout, { columns, isTTY: true })
  const ended = await cardlake(args, { env: { TERM: "xterm-256color", ...env } })
  Object.assign(process.stdout, { columns, isTTY })
  return ended
}

const withoutLake = ["--home", "/tmp/there is no such home"]
const asking = (sql: string, ...flags: ReadonlyArray<string>) => [
  "query",
  "--allow-files",
  ...withoutLake,
  ...flags,
  sql
]
const wide = "select 'Lightning Bolt of the Seventh Storm' as name, 12.50 as price, repeat('x', 300) as url, 7 as n"

describe("a result on a terminal", () => {
  for (const room of [40, 60, 80, 200]) {
    it(`of ${room} columns has no longer line`, async () => {
      const { stdout } = await onTerminal(room, asking(wide))
      assert.isAtMost(Math.max(...stdout.split("\n").map(displayWidth)), room)
    })
  }

  it("says which columns are left out, and that --line has them", async () => {
    const { stdout } = await onTerminal(30, asking(wide))
    assert.include(stdout.replaceAll("\n", " "), "Hidden columns: url (widen the terminal or use --line)")
  })

  it("with --line has every value whole", async () => {
    const { stdout } = await onTerminal(40, asking(wide, "--line"))
    assert.strictEqual(
      stdout,
      [
        "── 1 ──",
        "name   Lightning Bolt of the Seventh",
        "       Storm",
        "price  12.50",
        `url    ${"x".repeat(300)}`,
        "n      7",
        "1 row",
        ""
      ].join("\n")
    )
  })

  for (const flags of [[], ["--line"], ["--csv"], ["--json"]]) {
    it(`has no control character of the data, with ${flags[0] ?? "no flag"}`, async () => {
      const { stdout } = await onTerminal(80, asking("select chr(27) || '[2J' || chr(155) || '2J' as name", ...flags))
      assert.include(stdout, "name")
      assert.notMatch(stdout.replaceAll("\n", "").replaceAll("\t", ""), /\p{Cc}/u)
    })
  }
})

it("a result in a pipe is whole, and CSV has every byte", async () => {
  const { stdout } = await cardlake(asking(wide))
  assert.include(stdout, `Lightning Bolt of the Seventh Storm  12.50  ${"x".repeat(300)}  7\n`)
  const csv = await cardlake(asking("select chr(27) as escape", "--csv"))
  assert.strictEqual(csv.stdout, "escape\n\u001b\n")
})

describe("doctor", () => {
  const args = ["doctor", "--url", "htp://nowhere", ...withoutLake]
  it("has what is BAD in red on a terminal", async () => {
    assert.include((await onTerminal(80, args)).stdout, "\u001b[31mBAD\u001b[0m  settings")
  })
  it("has no colour where NO_COLOR is set, and none in a pipe", async () => {
    const bare = [await onTerminal(80, args, { NO_COLOR: "1" }), await cardlake(args, { env: { FORCE_COLOR: "1" } })]
    for (const { stdout } of bare) assert.match(stdout, /^BAD {2}settings/m)
  })
  it("goes on below where its sentences begin, and breaks neither a word nor a command", async () => {
    const { stdout } = await onTerminal(60, args, { NO_COLOR: "1" })
    const [first = "", second = ""] = stdout.split("\n")
    assert.match(first, /^BAD {2}settings {5}\S.*[\w.]$/)
    assert.match(second, /^ {18}\S/)
  })
})

describe("help", () => {
  it("of a command is what --help prints", async () => {
    assert.deepStrictEqual(await cardlake(["help", "nightly"]), await cardlake(["nightly", "--help"]))
    assert.deepStrictEqual(await cardlake(["help"]), await cardlake(["--help"]))
  })
  it("of a command that is unknown is refused", async () => {
    const { code, stderr } = await cardlake(["help", "nightlyy"])
    assert.strictEqual(code, 2)
    assert.match(stderr, /^cardlake: Unknown subcommand "nightlyy" for "cardlake"\. Did you mean nightly\?\n/)
  })
  it("fits a terminal, all but commands to copy", async () => {
    const { stdout } = await onTerminal(60, ["help", "nightly"], { NO_COLOR: "1" })
    const long = stdout.split("\n").filter((line) => line.length > 60)
    assert.isNotEmpty(long)
    for (const line of long) assert.match(line, /^ {2}cardlake nightly /)
  })
})

describe("an error", () => {
  it("of usage is three lines, without the caller's flags", async () => {
    const { stderr } = await cardlake(["nightly", "--home", "/srv/lake", "--jsn"])
    assert.strictEqual(
      stderr,
      [
        "cardlake: Unrecognized flag: --jsn in command cardlake nightly. Did you mean --json?",
        "Usage: cardlake nightly [flags] [<game...>]",
        "Help:  cardlake nightly --help",
        ""
      ].join("\n")
    )
  })
  it("of usage is an object where --json is given", async () => {
    const { stdout } = await cardlake(["rollback", "--json"])
    assert.deepStrictEqual(JSON.parse(stdout), {
      error: "WrongUsage",
      reason: "Missing required argument: game",
      exitCode: 2,
      usage: "cardlake rollback [flags] <game> [<snapshot>]"
    })
  })
  for (const [command, error] of [
    [["query", "selec 1", "--allow-files"], "QueryRefused"],
    [["describe", "movrs"], "NotInLake"]
  ] as const) {
    it(`of ${command.join(" ")} is an object where --json is given`, async () => {
      const ended = await cardlake([...command, ...withoutLake, "--json"])
      const printed = JSON.parse(ended.stdout) as { error: string; reason: string; exitCode: number }
      assert.deepStrictEqual([printed.error, printed.exitCode], [error, ended.code])
      assert.include(ended.stderr, printed.reason.split("\n")[0] ?? "")
    })
  }
})

describe("what a table means", () => {
  it("is told without a lake, as the contract has it", async () => {
    const ended = await cardlake(["describe", "source_prices", "--json", ...withoutLake])
    const [{ columns }] = json(ended) as [{ columns: ReadonlyArray<{ name: string; type: string | null }> }]
    assert.deepInclude(
      columns.map(({ name, type }) => ({ name, type })),
      { name: "low", type: "DECIMAL(18,4)" }
    )
    assert.match(ended.stderr, /^cardlake: There is no lake in .*\. A lake will have these\n$/)
  })
  it("has a proposal for a misspelled one", async () => {
    const { code, stderr } = await cardlake(["describe", "movrs", ...withoutLake])
    assert.strictEqual(code, 1)
    assert.match(
      stderr,
      /^cardlake: The lake has no movrs\. Did you mean movers\? List its names: cardlake describe --home/
    )
  })
})

describe("a query", () => {
  const folder = temporaryFolder()
  const file = join(folder, "cards.sql")
  writeFileSync(file, "\uFEFF-- the dearest\nselect 'Opt' as name, 0.1::decimal(18, 4) as price;\n")
  afterEach(() => existsSync(folder))

  it("comes from a file, and its result goes to a file as the name says", async () => {
    for (const [name, text] of [
      ["cards.csv", "name,price\nOpt,0.1000\n"],
      ["cards.json", '[\n\t{"name":"Opt","price":0.1000}\n]\n']
    ] as const) {
      const output = join(folder, name)
      const { stdout } = await cardlake(["query", "--allow-files", ...withoutLake, "-f", file, "-o", output])
      assert.strictEqual(stdout, `1 row in ${output}\n`)
      assert.strictEqual(readFileSync(output, "utf8"), text)
    }
  })

  it("comes from standard input, which is -", async () => {
    const script = `"$0" "$1" query --allow-files --csv --home /tmp/none - < "$2"`
    const ended = await start("sh", ["-c", script, node, main, file]).ended
    assert.deepStrictEqual([ended.code, ended.stdout], [0, "name,price\nOpt,0.1000\n"])
  })

  it("in a file that is not there says so", async () => {
    const { code, stderr } = await cardlake(["query", "--home", folder, "-f", join(folder, "none.sql")])
    assert.strictEqual(code, 1)
    assert.match(stderr, /none\.sql cannot be read \(ENOENT.*\)\. Name a file that exists/)
    remove(folder)
  })
})
