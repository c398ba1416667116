import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DuckDBInstance } from "@duckdb/node-api"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { spawnSync } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { queryTable } from "../pipelines/lake/runQuery.ts"
import { lakeServices } from "../pipelines/settings/services.ts"
import { allDocuments, commandsOf, document, documents, linesOf, printedBy, textsOf } from "./documents.ts"
import { cardlake, json, root, start } from "./pipelines/cli.ts"
import { readmeCheckout } from "./pipelines/readmeCheckout.ts"

const operating = document("pipelines/README.md")
const data = document("data/README.md")
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Readonly<Record<string, string>>
}

const commands = documents.flatMap((each) => commandsOf(each, "sh"))
const cronLines = documents.flatMap((each) => commandsOf(each, "cron"))

let user: Awaited<ReturnType<typeof readmeCheckout>>
beforeAll(async () => {
  user = await readmeCheckout()
}, 120_000)
afterAll(() => user.stop())

const rowsOf = async (file: string, sql: string) => {
  const instance = await DuckDBInstance.create(file, { access_mode: "READ_ONLY" })
  const connection = await instance.connect()
  const rows = (await connection.runAndReadAll(sql)).getRowsJson()
  connection.closeSync()
  instance.closeSync()
  return rows
}

/** What differs from run to run (ports, run ids, seconds) made the same, and blanks between columns one. */
const settled = (line: string): string =>
  line
    .replaceAll(/127\.0\.0\.1:\d+/g, "ADDRESS")
    .replaceAll(/\d{8}T\d{9}Z-[0-9a-f]{4}/g, "RUN")
    .replaceAll(/\b\d+\.\d( s\b|$)/g, "SECONDS")
    .replaceAll(/ {2,}/g, "  ")
    .trimEnd()

/** A document shows what a command prints, in this order, with `…` where it leaves something out. */
const assertPrinted = (shown: string, stdout: string): void => {
  const printed = stdout.split("\n").map(settled)
  let from = 0
  for (const line of linesOf(shown).filter((each) => each !== "…" && !/^[─ ]+$/.test(each))) {
    const at = printed.indexOf(settled(line), from)
    assert.isAtLeast(at, from, `it does not print: ${line}`)
    from = at + 1
  }
}

let demoPrinted = ""

const hasCurl = spawnSync("curl", ["--version"]).status === 0

/** Commands that take longer than a test may: npm has them, and they are what the name says. */
const longCommands: Readonly<Record<string, () => void>> = {
  "npm test": () => assert.match(scripts["test"] ?? "", /^vitest run /),
  "npm run test:full": () => assert.strictEqual(scripts["test:full"], `${scripts["test"]} --mode full`),
  "npm run bench": () => assert.strictEqual(scripts["bench"], "node test/bench/main.ts"),
  "npm run bench:history": () => assert.strictEqual(scripts["bench:history"], "node test/bench/history.ts"),
  "npm run check": () => {
    for (const name of (scripts["check"] ?? "").matchAll(/npm run -s (\S+)/g)) assert.property(scripts, name[1] ?? "")
  }
}

const check = async (command: string, shown: string | undefined): Promise<void> => {
  const long = longCommands[command]
  if (long !== undefined) return long()
  const [, name, value] = /^export (\w+)=(\S+)$/.exec(command) ?? []
  if (name !== undefined && value !== undefined) return user.export(name, user.here(value))
  const asked = /^duckdb -readonly (\S+) "(.*)"$/.exec(command)
  if (asked !== null) {
    assert.isAbove((await rowsOf(join(user.checkout, asked[1] ?? ""), asked[2] ?? "")).length, 0)
    return
  }
  const ended = await user.run(command)
  assert.strictEqual(ended.code, 0, ended.stdout + ended.stderr)
  if (command === "npm start") demoPrinted = ended.stdout
  if (shown !== undefined) assertPrinted(shown, ended.stdout)
}

describe("the commands of the documents", () => {
  it("are there, and so is every one that is not run", () => {
    assert.isAbove(commands.length, 30)
    assert.includeMembers([...commands], Object.keys(longCommands))
  })

  it("of npx are found in the checkout", async () => {
    const ended = await start("npx", ["cardlake", "--version"], { cwd: user.checkout }).ended
    assert.match(ended.stdout, /^cardlake v/, ended.stderr)
  })
})

describe.each(documents)("in $path", (each) => {
  const shown = printedBy(each)
  afterAll(() => user.forget("CARDLAKE_HOME"))

  for (const command of commandsOf(each, "sh")) {
    it.skipIf(command.startsWith("curl ") && !hasCurl)(`works: ${command}`, () => check(command, shown.get(command)))
  }
})

describe("a cron line of the documents", () => {
  it("is there", () => assert.strictEqual(cronLines.length, 2))

  for (const line of cronLines) {
    it(`works: ${line}`, async () => {
      const [, command = ""] = /^(?:[\d*/,-]+ ){5}(.+)$/.exec(line) ?? []
      // npm goes to its checkout by itself; the program stays where the settings are.
      const ended = await user.run(command, command.startsWith("npm ") ? user.folder : user.checkout)
      assert.strictEqual(ended.code, 0, ended.stderr)
      const log = /> (\S+)$/.exec(user.here(command))?.[1]
      if (log !== undefined) assert.property(JSON.parse(readFileSync(log, "utf8")), "games")
    })
  }
})

/** The keys of an object, of the objects in it and of the first of a list, as `games.0.changes`. */
const keysOf = (value: unknown, above = ""): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? [above]
    : Object.entries(Array.isArray(value) ? value.slice(0, 1) : value).flatMap(([name, inner]) =>
        keysOf(inner, `${above}.${name}`)
      )

describe("npm start", () => {
  const asked = (sql: string) => rowsOf(join(user.checkout, "data/demo/lake.duckdb"), sql)

  it("fits on one screen and ends with the command that opens the pages", () => {
    const lines = demoPrinted.slice(demoPrinted.indexOf("Three invented games")).trimEnd().split("\n")
    assert.isAtMost(lines.length, 40)
    assert.isAtMost(Math.max(...lines.map((line) => line.length)), 110)
    assert.match(lines.at(-1) ?? "", /npx cardlake explore --home data\/demo$/)
  })

  it("reads on ten days of three weeks", async () => {
    const days = await asked("select count(distinct day), min(day)::varchar, max(day)::varchar from readings")
    assert.deepStrictEqual(days, [["10", "2026-08-03", "2026-08-24"]])
  })

  it("has one night held and then released", async () => {
    const told = await asked(
      "select game_id, kind, verdict, started_at::date::varchar from runs where verdict = 'held' or kind = 'release' order by all"
    )
    assert.deepStrictEqual(told, [
      ["tidewrack", "nightly", "held", "2026-08-17"],
      ["tidewrack", "release", "published", "2026-08-17"]
    ])
  })

  it("leaves a lake that answers the ten questions of data/README.md as it shows", async () => {
    const shown = [...data.text.matchAll(/^\*\*(.+)\*\*\n\n```sql\n([\s\S]*?)\n```\n\n```txt\n([\s\S]*?)\n```$/gm)]
    assert.strictEqual(shown.length, 10)
    const services = Layer.provideMerge(
      lakeServices({ CARDLAKE_HOME: join(user.checkout, "data/demo") }),
      NodeServices.layer
    )
    await Effect.runPromise(
      Effect.gen(function* () {
        for (const [, question = "", sql = "", answer = ""] of shown) {
          const printed = yield* queryTable(sql, { allowFiles: true })
          assert.strictEqual(printed.replaceAll(/ +$/gm, ""), answer, question)
        }
      }).pipe(Effect.provide(services))
    )
  })

  it("leaves movers, series of ten readings and rates to ask", async () => {
    const [counts] = await asked(
      `select (select count(*) from movers(days := 7)), (select count(distinct seen_at) from source_price_history),
         (select count(*) from fx_rates where currency = 'USD')`
    )
    for (const count of counts ?? []) assert.isAbove(Number(count), 9)
  })
})

describe("what the documents tell", () => {
  it("of nightly --json has its keys", async () => {
    const first = ["--home", join(user.folder, "first")]
    const night = json(await cardlake(["nightly", "emberfall", "--json", ...first], { cwd: user.checkout }))
    assert.deepStrictEqual(keysOf(JSON.parse(textsOf(operating, "json")[0] ?? "")), keysOf(night))
  })

  it("of Python asks what the lake answers", async () => {
    const sql = /lake\.sql\("(.*)"\)/.exec(textsOf(data, "python")[0] ?? "")?.[1] ?? ""
    assert.isAbove((await rowsOf(user.lake, sql)).length, 0)
  })

  it("of tables is every table of the lake", async () => {
    const rows = [...data.text.matchAll(/^\| ((?:`[a-z_]+`(?:, )?)+) +\|/gm)]
    const told = rows.flatMap((match) => (match[1] ?? "").split(", ")).map((name) => name.replaceAll("`", ""))
    const tables = (await rowsOf(user.lake, "show tables")).flat().map(String)
    assert.deepStrictEqual(told.toSorted(), tables.toSorted())
  })

  it("of files is where it says", () => {
    const places = [...data.text.matchAll(/^\| `([\w<>=./-]+\.\w+)` +\|/gm)].map((match) => match[1] ?? "")
    assert.isAbove(places.length, 8)
    for (const place of places) {
      const found = globSync(place.replaceAll(/<\w+>/g, "*"), { cwd: user.here("/tmp/practice") })
      assert.isAbove(found.length, 0, place)
    }
  })

  it("of commands and flags is in --help, and every command is in it", async () => {
    const told = allDocuments.map(({ text }) => text).join("\n")
    const { stdout } = await cardlake(["--help"])
    const listed = stdout.slice(stdout.indexOf("SUBCOMMANDS\n")).matchAll(/^ {2}(\w+) {2,}/gm)
    const help = new Map<string, string>()
    const names = [...listed].map((match) => match[1] ?? "")
    await Promise.all(names.map(async (name) => help.set(name, (await cardlake([name, "--help"])).stdout)))
    for (const name of help.keys()) assert.match(told, new RegExp(`cardlake (-- )?${name}\\b`))
    for (const command of [...commands, ...cronLines]) {
      const [, name, rest = ""] = /(?:npx cardlake|cardlake --|main\.ts) ([a-z]+)\b(.*)$/.exec(command) ?? []
      if (name === undefined) continue
      for (const [flag] of rest.replaceAll(/"[^"]*"/g, "").matchAll(/--[a-z-]+/g)) {
        if (flag !== "--help") assert.include(help.get(name) ?? "", `  ${flag} `, command)
      }
    }
    const anyHelp = [...help.values()].join("\n")
    for (const flag of told.matchAll(/`(--[a-z-]+)/g)) assert.include(anyHelp, flag[1] ?? "")
  })
})
