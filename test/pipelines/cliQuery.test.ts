import { folderHere, sandboxHere } from "../support/place.ts"
import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assertFault, cardlake, json, lakeHash, main, node, settings, start, startCardlake } from "./cli.ts"
import { parquetRows } from "./parquetRows.ts"
import { game, servedNights } from "./servedNights.ts"
import { isFull } from "../tried.ts"

const folder = folderHere()
const { home, published, runIds } = await servedNights()
const sandbox = await sandboxHere()

const ask = (...args: ReadonlyArray<string>) => cardlake(args, { env: settings(sandbox.url, home), cwd: folder })

/** Figures that a double would not keep exactly. */
const exact = `select 9007199254740991::bigint as id, 8999999999.9999::decimal(18, 4) as price, 0.1000::decimal(18, 4) as tenth,
  null::decimal(18, 4) as absent, 'a,"b"' as name`

describe.concurrent("query", () => {
  it("prints a table that keeps every digit, with figures aligned right", async () => {
    const { stdout } = await ask("query", exact)
    assert.strictEqual(
      stdout,
      [
        "              id            price   tenth  absent  name",
        "────────────────  ───────────────  ──────  ──────  ─────",
        '9007199254740991  8999999999.9999  0.1000          a,"b"',
        "1 row",
        ""
      ].join("\n")
    )
  })

  it("may begin with a comment, as a file of queries does", async () => {
    const { stdout } = await ask("query", "--csv", "-- one = two\nselect 1 as one")
    assert.strictEqual(stdout, "one\n1\n")
  })

  it("into a folder that does not exist says so, and nothing of tables", async () => {
    const { code, stderr } = await ask("query", "--parquet", join(folder, "none/x.parquet"), "select 1")
    assert.strictEqual(code, 1)
    assert.match(stderr, /none\/x\.parquet cannot be written: its folder does not exist\. Create it first/)
  })

  it("prints instants in UTC, whatever the machine's time zone", async () => {
    const sql = "select timestamptz '2026-08-20 05:30:00.25Z' as seen"
    const env = { ...settings(sandbox.url, home), TZ: "Asia/Kolkata" }
    const { stdout } = await startCardlake(["query", sql], { env, cwd: folder }).ended
    assert.include(stdout, "2026-08-20 05:30:00.25+00")
  })

  it("prints JSON whose numbers have every digit in the text", async () => {
    const { stdout } = await ask("query", "--json", exact)
    assert.include(stdout, '"id":9007199254740991,"price":8999999999.9999,"tenth":0.1000,"absent":null')
    assert.strictEqual((JSON.parse(stdout) as ReadonlyArray<{ name: string }>)[0]?.name, 'a,"b"')
  })

  it("prints CSV with a header line and quotes where they are needed", async () => {
    const { stdout } = await ask("query", "--csv", exact)
    assert.strictEqual(stdout, 'id,price,tenth,absent,name\n9007199254740991,8999999999.9999,0.1000,,"a,""b"""\n')
  })

  it.runIf(isFull)("writes Parquet that another reader reads with every digit, and says how many rows", async () => {
    const file = join(folder, "exact.parquet")
    const { stdout } = await ask("query", "--parquet", file, "--json", exact)
    assert.deepStrictEqual(JSON.parse(stdout), { file, rows: 1 })
    const [row] = parquetRows(file)
    assert.deepStrictEqual(
      { ...row, id: String(row?.["id"]) },
      { id: "9007199254740991", price: "8999999999.9999", tenth: "0.1", absent: null, name: 'a,"b"' }
    )
  })

  it("ends without an error when its reader stops reading", async () => {
    const program = `"${node}" "${main}" query --csv "from range(1000000)"`
    const { code, stderr, stdout } = await start("bash", ["-c", `${program} | head -1; exit \${PIPESTATUS[0]}`], {
      env: settings(sandbox.url, home)
    }).ended
    assert.deepStrictEqual([code, stderr, stdout], [0, "", "range\n"])
  })

  it("keeps the order it is asked for, in CSV too", async () => {
    const { stdout } = await ask("query", "--csv", "select product_id from products order by product_id desc")
    const ids = stdout.trim().split("\n").slice(1).map(Number)
    assert.isAbove(ids.length, 399)
    assert.deepStrictEqual(
      ids,
      ids.toSorted((a, b) => b - a)
    )
  })

  it("prints lists of tables and queries that end in a comment as CSV too", async () => {
    assert.match((await ask("query", "--csv", "show tables -- all of them")).stdout, /^name\nbackfill_against_nights\n/)
  })

  it("shows the first 200 rows on a terminal and says how to get the others", async () => {
    const { stdout } = await ask("query", "select product_id from products")
    assert.match(stdout, /\n200 rows\nThe first 200 rows\. All of them: --csv, --json or --parquet FILE\n$/)
  })

  const tables = /cardlake query "show tables"\n$/
  const files = /allow it to read and write files: add --allow-files\n$/
  const wrong: ReadonlyArray<readonly [problem: string, sql: string, says: RegExp, next: RegExp]> = [
    ["a table that is not there", "from nothing_here", /nothing_here does not exist/, tables],
    ["words that are no SQL", "selec 1", /syntax error at or near "selec"\n\n?LINE 1: selec 1/, tables],
    ["arguments that no function takes, without tabs", "select sum('a')", /\n {4}sum\(/, tables],
    ["a change to the lake", "delete from products", /Only reading queries are allowed/, files]
  ]
  for (const [problem, sql, says, next] of wrong) {
    it(`names ${problem} and the next step, exit code 1`, async () => {
      const before = lakeHash(home)
      const { code, stderr, stdout } = await ask("query", sql)
      assert.strictEqual(code, 1)
      assert.strictEqual(stdout, "")
      assert.match(stderr, says)
      assert.match(stderr, next)
      assert.strictEqual(lakeHash(home), before)
    })
  }
})

describe.concurrent("snapshots", () => {
  it("lists the nights' snapshots, the last one as current", async () => {
    const found = json(await ask("snapshots", "--json")) as ReadonlyArray<Record<string, unknown>>
    assert.deepStrictEqual(
      found.map(({ gameId, snapshot, state }) => [gameId, snapshot, state]),
      published.map((id, place) => [game, id, place === 3 ? "current" : "earlier"])
    )
  })

  it("prints a table of them, and before the first night how to make one", async () => {
    assert.match((await ask("snapshots")).stdout, new RegExp(`^${game} +${published[3]} +current +dep_`, "m"))
    mkdirSync(join(folder, "empty"))
    const empty = await ask("snapshots", "--home", join(folder, "empty"))
    assert.strictEqual(
      empty.stdout,
      `No snapshots yet. Make the first with: cardlake nightly --home ${join(folder, "empty")}\n`
    )
  })
})

describe.concurrent("runs", () => {
  it("lists the nights, the newest first, as JSON and as a table", async () => {
    const found = json(await ask("runs", "--json")) as ReadonlyArray<{ run: string }>
    assert.deepStrictEqual(
      found.map(({ run }) => run),
      runIds.toReversed()
    )
    assert.match((await ask("runs")).stdout, new RegExp(`^${published[3]} .* published +${game} published +\\d`, "m"))
  })
})

describe.concurrent("diff", () => {
  it("of what the home does not have says how to see what it has, exit code 1", async () => {
    assertFault(
      await ask("diff", game, "dep_none"),
      1,
      /has no snapshot or deployment dep_none of clockwork-orchard\. See what it has with: cardlake snapshots$/
    )
  })
})

describe.concurrent("doctor", () => {
  it("finds nothing wrong, exit code 0", async () => {
    const found = json(await ask("doctor", "--json")) as ReadonlyArray<{ name: string; ok: boolean; says: string }>
    for (const name of ["settings", "marketplace", "home", "lake"]) {
      assert.isDefined(
        found.find((finding) => finding.name === name),
        name
      )
    }
    assert.deepStrictEqual(
      found.filter(({ ok }) => !ok),
      []
    )
    // Only one line says how old the lake is.
    assert.deepStrictEqual(
      found.filter(({ says }) => /reading/.test(says)).map(({ name }) => name),
      ["age"]
    )
  })

  it("shows each thing that is wrong with the next step, exit code 1", async () => {
    writeFileSync(join(folder, "file"), "")
    const env = { ...settings(sandbox.url, join(folder, "file/lake")), CARDLAKE_API_KEY: "wrong" }
    const { code, stdout } = await cardlake(["doctor"], { env })
    assert.strictEqual(code, 1)
    assert.match(stdout, /^BAD {2}marketplace {2}The marketplace refused the API key/m)
    assert.match(stdout, /^BAD {2}home .* or choose another with CARDLAKE_HOME or --home$/m)
    // If the folder is not a home, nothing else about it is checked.
    assert.notMatch(stdout, /^(ok|BAD) +(lake|files|age) /m)
  })
})
