import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { vi } from "vitest"
import { Readable } from "node:stream"
import {
  askConsole,
  type ConsoleRefused,
  downloadConsole,
  type DownloadFormat,
  readAnswer
} from "../../../src/desk/explorer/console/askConsole.ts"
import { consoleAnswer, type ConsoleRequest } from "../../../src/desk/explorer/console/consoleAnswer.ts"
import { consoleLake } from "./consoleLake.ts"
import { tried } from "../../tried.ts"

const place = await consoleLake()
afterAll(place.remove)

const of = (sql: string) => ({ lake: place.lake, own: null, sql })
/** Answers in this process, as a process of each query would: that loads DuckDB anew. */
const here = (request: ConsoleRequest) => readAnswer(Readable.from(consoleAnswer(request)))
const answerTo = (sql: string) => Effect.runPromise(askConsole(of(sql), 15, here))
const sentence = <A>(answer: Effect.Effect<A, ConsoleRefused>) =>
  Effect.runPromise(Effect.map(Effect.flip(answer), ({ message }) => message))
const refused = (sql: string) => sentence(askConsole(of(sql), 15, here))
const downloaded = (sql: string, format: DownloadFormat) =>
  Effect.runPromise(Stream.mkString(downloadConsole(of(sql), format, here)))

describe("the console answers", () => {
  it("with every digit, and null distinct from an empty text", async () => {
    const answer = await Effect.runPromise(askConsole(of("select id, name, low, note from cards order by low")))
    assert.deepStrictEqual(answer, {
      columns: [
        { name: "id", type: "BIGINT" },
        { name: "name", type: "VARCHAR" },
        { name: "low", type: "DECIMAL(18,4)" },
        { name: "note", type: "VARCHAR" }
      ],
      rows: [
        ["9007199254740991", 'Marsh "Lantern", foil', "0.1000", null],
        ["2", "", "20000000.0001", "x"]
      ],
      more: false,
      drawn: null
    })
  })

  it("from the Parquet behind a view", async () => {
    assert.deepStrictEqual((await answerTo("from prices")).rows, [["7", "12.3400"]])
  })

  it("from the lake's macros", async () => {
    assert.deepStrictEqual((await answerTo("select id from dearer_than(1)")).rows, [["2"]])
  })

  const kinds = ["show tables", "describe cards", "summarize cards", "with a as (values (1)) from a;", "table cards"]
  for (const sql of tried(kinds, (kind) => /^(show|with)/.test(kind))) {
    it(`to ${sql}`, async () => assert.isAbove((await answerTo(sql)).rows.length, 0))
  }

  it("with the first 200 rows, in their order, and says that there are more", async () => {
    const { more, rows } = await answerTo("select i from range(201) r(i) order by i desc")
    assert.deepStrictEqual([rows.length, rows[0], rows.at(-1), more], [200, ["200"], ["1"], true])
  })

  it("with two columns of the same name", async () => {
    assert.deepStrictEqual((await answerTo("select 1 as a, 2 as a")).rows, [["1", "2"]])
  })

  it("in DuckDB's words where a query is wrong", async () => {
    assert.match(await refused("select nam from cards"), /Referenced column "nam" not found/)
    assert.match(await refused("selec 1"), /syntax error at or near "selec"/)
  })

  it("with the line that is wrong as it was written, and the caret under the place", async () => {
    const placed = async (sql: string) => (await refused(sql)).split("\n").slice(-2)
    assert.deepStrictEqual(await placed("select 1 +\n  selec 1"), ["LINE 2:   selec 1", "                ^"])
    assert.deepStrictEqual(await placed("select\n\tnam from cards"), ["LINE 2:  nam from cards", "         ^"])
    const failing = "select id,\n\n\n\n\n\n\n\n\n  name::int from cards"
    assert.deepStrictEqual(await placed(failing), ["LINE 10:   name::int from cards", "               ^"])
    const ninth = failing.replace("\n", "")
    assert.deepStrictEqual(await placed(ninth), ["LINE 9:   name::int from cards", "              ^"])
  })

  it("with all rows of what can be drawn, and not of other results", async () => {
    const days = "select date '2026-01-01' + i::int as day, i as n from range(300) r(i)"
    assert.deepStrictEqual([(await answerTo(days)).rows.length, (await answerTo(days)).drawn?.length], [200, 300])
    assert.isNull((await answerTo(days.replace("300", "3000"))).drawn)
    assert.isNull((await answerTo(`from (${days}), (select 'a' as x, 'b' as y)`)).drawn)
  })
})

describe("a download of the console", () => {
  it("as CSV has every row, quoted where it has to be", async () => {
    assert.strictEqual(
      await downloaded("select id, name, low, note from cards order by low", "csv"),
      'id,name,low,note\r\n9007199254740991,"Marsh ""Lantern"", foil",0.1000,\r\n2,"",20000000.0001,x\r\n'
    )
  })

  it("as CSV for a spreadsheet has no cell that runs as a formula, and numbers as they are", async () => {
    const cells = `select '=1+1' as a, -5.25::decimal(9, 4) as b, '-5,A1' as c, null as d, '' as e, e'\\t=x' as "=f"`
    assert.strictEqual(
      await downloaded(cells, "spreadsheet"),
      `\ufeffa,b,c,d,e,'=f\r\n'=1+1,-5.2500,"'-5,A1",,"",'\t=x\r\n`
    )
    assert.strictEqual(await downloaded(cells, "csv"), `a,b,c,d,e,=f\r\n=1+1,-5.2500,"-5,A1",,"",\t=x\r\n`)
  })

  it("as JSON has every row, figures digit by digit", async () => {
    const text = await downloaded("select id, low, note from cards order by low", "json")
    assert.include(text, '"id":9007199254740991,"low":0.1000,"note":null')
    assert.deepStrictEqual(JSON.parse(text).length, 2)
  })

  it("as JSON without a row is an empty list", async () => {
    assert.deepStrictEqual(JSON.parse(await downloaded("from cards where false", "json")), [])
  })

  it("is as long as the result", async () => {
    assert.strictEqual((await downloaded("from range(100_000)", "csv")).split("\r\n").length, 100_002)
  })
})

it("the console stops a query that needs too much memory", async () => {
  const message = await sentence(askConsole(of("select list(repeat('x', 1_000_000)) from range(2000)")))
  assert.match(message, /The query needs more memory than the console has \(\d+MB\) and was stopped\. Read fewer rows/)
})

/** Processes that run a query now, by their id. */
const running = () =>
  readdirSync("/proc").filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/cmdline`, "utf8").includes("consoleProcess.ts")
    } catch {
      return false
    }
  })

describe.skipIf(!existsSync("/proc/self/environ"))("the process of a query", () => {
  it("gets no environment variables, and ends when its time is up", async () => {
    const answer = sentence(askConsole(of("select sum(sqrt(i)) from range(1_000_000_000_000) r(i)"), 2))
    await vi.waitFor(() => assert.strictEqual(running().length, 1), 30_000)
    assert.strictEqual(readFileSync(`/proc/${running()[0]}/environ`, "utf8"), "")
    assert.match(await answer, /took longer than 2 seconds/)
    await vi.waitFor(() => assert.deepStrictEqual(running(), []), 30_000)
  })

  it("ends when the reader of a download goes away", async () => {
    const rows = downloadConsole(of("from range(1_000_000_000)"), "csv")
    assert.deepStrictEqual(await Effect.runPromise(Stream.runCollect(Stream.take(rows, 2))), ["range\r\n", "0\r\n"])
    await vi.waitFor(() => assert.deepStrictEqual(running(), []), 30_000)
  })
})
