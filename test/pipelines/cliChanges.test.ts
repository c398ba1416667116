import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { repricedGame } from "../store/lake/invented.ts"
import { isFull, tried } from "../tried.ts"
import { startCardlake } from "./cli.ts"
import type { Ended } from "./runHere.ts"
import { newestCommit, type TinyBucket, tinyBucket } from "../store/home/tinyBucket.ts"

interface LakeCommit {
  readonly sequence: number
  readonly games: Readonly<Record<string, { readonly sequences: Readonly<Record<string, number>> }>>
}

/** The last line of an answer after a command that published number 3. */
const endAfter = ({ stdout }: Ended) => `{"next":3,"run":"${(JSON.parse(stdout) as { run: string }).run}"}`

describe("cardlake changes", () => {
  let tiny: TinyBucket
  let [end, endInBucket] = ["", ""]
  const inBoth = async (...args: ReadonlyArray<string>) => {
    const there = await tiny.inFolder(...args)
    const inBucket = await tiny.run(...args)
    assert.strictEqual(inBucket.code, there.code, `${args.join(" ")}: ${there.stderr}${inBucket.stderr}`)
    return { there, inBucket }
  }
  beforeAll(async () => {
    tiny = await tinyBucket({ birch: repricedGame("birch"), cedar: repricedGame("cedar") })
    await inBoth("nightly", "birch", "--json")
    await tiny.sandbox.deploy("birch")
    await inBoth("nightly", "--json")
    const { inBucket, there } = await inBoth("rollback", "birch", "--why", "wrong prices", "--yes", "--json")
    ;[end, endInBucket] = [endAfter(there), endAfter(inBucket)]
  }, 120_000)
  afterAll(() => tiny.stop())

  it("numbers publications without gaps, and those of one night alike, in a folder as in a bucket", async () => {
    const { stdout } = await tiny.inFolder("query", "--json", "select sequence, game_id, kind, why from publications")
    assert.deepStrictEqual(JSON.parse(stdout), [
      { sequence: 1, game_id: "birch", kind: "nightly", why: null },
      { sequence: 2, game_id: "birch", kind: "nightly", why: null },
      { sequence: 2, game_id: "cedar", kind: "nightly", why: null },
      { sequence: 3, game_id: "birch", kind: "rollback", why: "wrong prices" }
    ])
    const commit = newestCommit<LakeCommit>(tiny.store, "lake")
    const numbers = (game: string) => Object.values(commit?.games[game]?.sequences ?? {})
    assert.deepStrictEqual([commit?.sequence, numbers("birch"), numbers("cedar")], [3, [1, 2, 3], [2]])
  })

  it("prints the same entries of a folder and of a bucket, and at last the next number", async () => {
    const { inBucket, there } = await inBoth("changes", "--since", "0")
    const linesOf = ({ stdout }: Ended) => stdout.trimEnd().split("\n")
    const [lines, ofBucket] = [linesOf(there), linesOf(inBucket)]
    assert.deepStrictEqual(ofBucket.slice(0, -1), lines.slice(0, -1))
    assert.strictEqual(lines.at(-1), end)
    assert.strictEqual(ofBucket.at(-1), endInBucket)
    assert.notInclude(lines, "")
    const moved = '"kind":"moved","table":"source_prices","finish":"Standard","source":"sourceEur","currency":"EUR"'
    const raised = (sequence: number, was: string, is: string) =>
      `{"sequence":${sequence},"game_id":"birch","entity":"product","id":1,${moved},"old":{"low":${was},"market_value":${was}},"new":{"low":${is},"market_value":${is}}}`
    assert.include(lines, raised(2, "1.0000", "2.0000"))
    assert.include(lines, raised(3, "2.0000", "1.0000"))
    const after = await tiny.inFolder("changes", "--since", "2", "--games", "cedar")
    assert.strictEqual(after.stdout, `${end}\n`)
  })

  it("ends with 3 and where to start again if the number never was, and names the newest", async () => {
    const folder = join(tiny.work, "folder")
    const { code, stderr, stdout } = await tiny.inFolder("changes", "--since", "4", "--home", folder)
    assert.strictEqual(code, 3)
    const { restart } = JSON.parse(stdout) as {
      restart: { sequence: number; run: string; tables: ReadonlyArray<string> }
    }
    assert.strictEqual(JSON.stringify({ next: restart.sequence, run: restart.run }), end)
    assert.include(restart.tables, "source_prices")
    assert.match(stderr, /Publication 4 never was; the newest is 3/)
    assert.include(stderr, `cardlake changes --home ${folder} --since 3 --run ${restart.run}\n`)
  })

  it("ends with 3 if the number is that of another data directory, and goes on if it is of this one", async () => {
    const [, ours = ""] = /"run":"(.*)"/.exec(end) ?? []
    const [, other = ""] = /"run":"(.*)"/.exec(endInBucket) ?? []
    const since = (run: string) => tiny.inFolder("changes", "--since", "3", "--run", run)
    assert.strictEqual((await since(ours)).stdout, `${end}\n`)
    const { code, stderr, stdout } = await since(other)
    assert.strictEqual(code, 3)
    assert.include(stdout, `"sequence":3,"run":"${ours}"`)
    assert.include(stderr, `Publication 3 of this data directory is not the one of run ${other}`)
  })

  it("writes entries as rows of a file", async () => {
    const { stdout } = await tiny.inFolder("changes", "--since", "0")
    const entries = stdout.trimEnd().split("\n").slice(0, -1)
    for (const format of tried(["csv", "parquet", "ndjson"], (format) => format === "parquet")) {
      const file = join(tiny.work, `changes.${format}`)
      const written = await tiny.inFolder("changes", "--since", "0", "--format", format, "--output", file)
      assert.strictEqual(written.stdout, `${end}\n`, written.stderr)
      if (format === "ndjson") assert.strictEqual(readFileSync(file, "utf8"), `${entries.join("\n")}\n`)
      const rowsOf =
        format === "csv" ? `read_csv('${file}', header = true, delim = ',', quote = '"', escape = '"')` : `'${file}'`
      const sql = `select count(*) as n, min(sequence) as first, max(sequence) as last from ${rowsOf}`
      const { stdout: rows } = await tiny.inFolder("query", "--json", "--allow-files", sql)
      assert.deepStrictEqual(JSON.parse(rows), [{ n: entries.length, first: 1, last: 3 }])
    }
  })

  it.each([
    ["--format", "csv"],
    ["--follow", "--output", "x.ndjson"]
  ])("refuses %s, which cannot be printed", async (...flags) => {
    assert.strictEqual((await tiny.inFolder("changes", "--since", "0", ...flags)).code, 2)
  })

  it.runIf(isFull)("ends soon after the reader of its pipe", async () => {
    const env = tiny.env(join(tiny.work, "folder"))
    const following = startCardlake(["changes", "--since", "0", "--follow"], { env })
    await following.shows('{"next":3')
    following.process.stdout?.destroy()
    assert.strictEqual((await following.ended).code, 0)
  })

  it("refuses a game that the lake does not have", async () => {
    const { code, stderr } = await tiny.inFolder("changes", "--since", "0", "--games", "oak")
    assert.notStrictEqual(code, 0)
    assert.include(stderr, "oak")
  })
})
