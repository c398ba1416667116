import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, Schema } from "effect"
import { join } from "node:path"
import { DialectFile } from "../src/feed/contract/dialect/DialectFile.ts"
import { dialectFileFault } from "../src/feed/contract/dialect/dialectFileFault.ts"
import { queryTable } from "../pipelines/lake/runQuery.ts"
import { lakeServices } from "../pipelines/settings/services.ts"
import { allDocuments, commandsOf, document, documents, textsOf } from "./documents.ts"
import { firstTwo, isAmong, searches } from "./store/lake/macros/searches.ts"
import { cardlake, json, start } from "./pipelines/cli.ts"
import { servedNights } from "./pipelines/servedNights.ts"
import { longCommands, openRows, rowsOf, runCommandsOf } from "./readmeCommands.ts"
import { isFull } from "./tried.ts"

const commands = documents.flatMap((each) => commandsOf(each, "sh"))
const cronLines = documents.flatMap((each) => commandsOf(each, "cron"))

/** The demo and the first answers of it; `readmeCommands.full.test.ts` runs the commands of all documents. */
const checkout = runCommandsOf([document("README.md")], (command) => /^npm start$| (query|diff) /.test(command))
const { home, nights } = await servedNights()
const lake = join(home, "lake.duckdb")

describe("the commands of the documents", () => {
  it("are there, even those that are not run", () => {
    assert.isAbove(commands.length, 30)
    assert.includeMembers([...commands], Object.keys(longCommands))
  })

  it.runIf(isFull)("of npx are found in the checkout", async () => {
    const ended = await start("npx", ["cardlake", "--version"], { cwd: checkout().user.checkout }).ended
    assert.match(ended.stdout, /^cardlake v/, ended.stderr)
  })
})

/** The keys of an object, of the objects in it and of the first of a list, as `games.0.changes`. */
const keysOf = (value: unknown, above = ""): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? [above]
    : Object.entries(Array.isArray(value) ? value.slice(0, 1) : value).flatMap(([name, inner]) =>
        keysOf(inner, `${above}.${name}`)
      )

describe("npm start", () => {
  let demo: Awaited<ReturnType<typeof openRows>>
  const demoRows = (sql: string) => demo.rows(sql)
  beforeAll(async () => {
    demo = await openRows(join(checkout().user.checkout, "data/demo/lake.duckdb"))
  })
  afterAll(() => demo.close())

  it("fits on one screen and ends with the command that opens the pages", () => {
    const printed = checkout().printed.get("npm start") ?? ""
    const lines = printed.slice(printed.indexOf("Demo data: three invented games")).trimEnd().split("\n")
    assert.isAtMost(lines.length, 40)
    assert.isAtMost(Math.max(...lines.map((line) => line.length)), 110)
    assert.match(lines.at(-1) ?? "", /npx cardlake explore --home data\/demo$/)
  })

  it("reads on ten days in three weeks", async () => {
    const days = await demoRows("select count(distinct day), min(day)::varchar, max(day)::varchar from readings")
    assert.deepStrictEqual(days, [["10", "2026-08-03", "2026-08-24"]])
  })

  it("has one night held and then released", async () => {
    const heldRuns = await demoRows(
      "select game_id, kind, verdict, started_at::date::varchar from runs where verdict = 'held' or kind = 'release' order by all"
    )
    assert.deepStrictEqual(heldRuns, [
      ["tidewrack", "nightly", "held", "2026-08-17"],
      ["tidewrack", "release", "published", "2026-08-17"]
    ])
  })

  it("leaves a lake that answers the ten questions of data/guide/questions.md as it shows", async () => {
    const shown = [
      ...document("data/guide/questions.md").text.matchAll(
        /^\*\*(.+)\*\*\n\n```sql\n([\s\S]*?)\n```\n\n```txt\n([\s\S]*?)\n```$/gm
      )
    ]
    assert.strictEqual(shown.length, 10)
    const services = Layer.provideMerge(
      lakeServices({ CARDLAKE_HOME: join(checkout().user.checkout, "data/demo") }),
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

  it.runIf(isFull)("leaves a lake that answers the example of every macro", async () => {
    const ended = await cardlake(["describe", "--home", join(checkout().user.checkout, "data/demo"), "--json"])
    const described = json(ended) as ReadonlyArray<{ readonly kind: string; readonly example: string }>
    const examples = described.filter(({ kind }) => kind === "macro").map(({ example }) => example)
    assert.isAbove(examples.length, 10)
    for (const example of examples) assert.isAbove((await demoRows(`${example} limit 1`)).length, 0, example)
  })

  it.runIf(isFull)("leaves a lake in which what people type is found, first or second", async () => {
    for (const wanted of searches.demo) assert.isTrue(isAmong(wanted, await demoRows(firstTwo(wanted))), wanted.said)
  })

  it("leaves a lake with movers, price series of ten readings, and exchange rates", async () => {
    const [counts] = await demoRows(
      `select (select count(*) from movers(days := 7)), (select count(distinct seen_at) from source_price_history),
         (select count(*) from fx_rates where currency = 'USD')`
    )
    for (const count of counts ?? []) assert.isAbove(Number(count), 9)
  })
})

describe("what the documents tell", () => {
  it("of nightly --json has its keys", () => {
    const [shown = ""] = textsOf(document("pipelines/guide/nights.md"), "json")
    assert.deepStrictEqual(keysOf(JSON.parse(shown)), keysOf(json(nights[0] ?? assert.fail())))
  })

  it("of a dialect file is one that can be used", () => {
    const [text = ""] = textsOf(document("pipelines/guide/mapping-files.md"), "json")
    const file = Schema.decodeUnknownSync(Schema.fromJsonString(DialectFile), { onExcessProperty: "error" })(text)
    assert.isNull(dialectFileFault(file))
  })

  it("of Python is a query that the lake answers", async () => {
    const sql = /lake\.sql\("(.*)"\)/.exec(textsOf(document("data/guide/query.md"), "python")[0] ?? "")?.[1] ?? ""
    assert.isAbove((await rowsOf(lake, sql)).length, 0)
  })

  it("of tables is every table of the lake", async () => {
    const rows = [...document("data/guide/tables.md").text.matchAll(/^\| ((?:`[a-z_]+`(?:, )?)+) +\|/gm)]
    const documented = rows.flatMap((match) => (match[1] ?? "").split(", ")).map((name) => name.replaceAll("`", ""))
    const tables = (await rowsOf(lake, "show tables")).flat().map(String)
    assert.deepStrictEqual(documented.toSorted(), tables.toSorted())
  })

  it("of commands and flags is in --help, and it names every command", async () => {
    const documented = allDocuments.map(({ text }) => text).join("\n")
    const { stdout } = await cardlake(["--help"])
    const listed = stdout.slice(stdout.indexOf("SUBCOMMANDS\n")).matchAll(/^ {2}(\w+) {2,}/gm)
    const help = new Map<string, string>()
    const names = [...listed].map((match) => match[1] ?? "")
    const helpOf = async (...path: ReadonlyArray<string>): Promise<string> => {
      const text = (await cardlake([...path, "--help"])).stdout
      const below = text.includes("SUBCOMMANDS\n")
        ? text.slice(text.indexOf("SUBCOMMANDS\n")).matchAll(/^ {2}(\w+) {2,}/gm)
        : []
      const inner = await Promise.all([...below].map((match) => helpOf(...path, match[1] ?? "")))
      return [text, ...inner].join("\n")
    }
    await Promise.all(names.map(async (name) => help.set(name, await helpOf(name))))
    for (const name of help.keys()) assert.match(documented, new RegExp(`cardlake (-- )?${name}\\b`))
    for (const command of [...commands, ...cronLines]) {
      const [, name, rest = ""] = /(?:npx cardlake|cardlake --|main\.ts) ([a-z]+)\b(.*)$/.exec(command) ?? []
      if (name === undefined) continue
      for (const [flag] of rest.replaceAll(/"[^"]*"/g, "").matchAll(/--[a-z-]+/g)) {
        if (flag !== "--help") assert.match(help.get(name) ?? "", new RegExp(`^  ${flag}[ ,]`, "m"), command)
      }
    }
    const anyHelp = [...help.values()].join("\n")
    for (const flag of documented.matchAll(/`(--[a-z-]+)/g)) assert.include(anyHelp, flag[1] ?? "")
  })
})
