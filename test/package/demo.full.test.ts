import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { existsSync, readdirSync } from "node:fs"
import { json, key, remove } from "../pipelines/cli.ts"
import { type Installed, installPackage, oldest, oldestNode } from "./installPackage.ts"

let cardlake: Installed
let demo: { readonly code: number | null; readonly stdout: string; readonly stderr: string }
beforeAll(async () => {
  cardlake = installPackage(oldestNode())
  demo = await cardlake.start(["demo", "--home", "demo"]).ended
}, 300_000)
afterAll(() => remove(cardlake.all))

const run = (args: ReadonlyArray<string>, env?: Record<string, string>) => cardlake.start(args, env).ended

describe(`the package's demo on Node ${oldest}, in an empty folder with an empty home`, () => {
  it("plays, and says nothing on standard error", () => {
    assert.deepStrictEqual([demo.code, demo.stderr], [0, ""])
    assert.include(demo.stdout, "Query it:    cardlake query --home demo")
  })

  it("the lake is queried and compared", async () => {
    const rows = json(await run(["query", "--home", "demo", "--json", "select count(*)::int n from products"]))
    assert.deepStrictEqual(rows, [{ n: 2040 }])
    const { code, stdout } = await run(["diff", "emberfall", "--home", "demo"])
    assert.strictEqual(code, 0)
    assert.match(stdout, /^products +\d+/m)
  })

  it("the explorer has its pages, its files and its console", async () => {
    const explorer = await cardlake.serve(["explore", "--home", "demo", "--port", "0"])
    const game = "/games/emberfall"
    const lists = ["expansions", "movers", "spreads", "diff", "refusals", "audit"].map((name) => `${game}/${name}`)
    const files = ["explorer.css", "explorer.js", "charts.js", "icon.svg"].map((name) => `/assets/${name}`)
    const paths = ["/", "/search?q=ember", "/console", ...lists, `${game}/expansions/305`, ...files, `${game}/none`]
    const statuses = await Promise.all(paths.map(async (path) => (await fetch(explorer.url + path)).status))
    const sql = new URLSearchParams({ sql: "select 6 * 7 as answer" })
    const headers = { origin: explorer.url }
    const answer = await (await fetch(`${explorer.url}/console`, { method: "POST", body: sql, headers })).text()
    await explorer.stop()
    assert.deepStrictEqual(statuses, [...paths.slice(1).map(() => 200), 404])
    assert.match(answer, />\s*42\s*</)
  })

  it("a drop is written, and its script calls the installed command", async () => {
    const exported = await run(["export", "--home", "demo", "--to", "drop"])
    assert.deepStrictEqual([exported.code, exported.stderr], [0, ""])
    const { stdout } = await run(["export", "--home", "demo", "--to", "drop", "--sql", "postgres"])
    assert.include(stdout, "from program 'cardlake query --allow-files")
  })

  it("without a home that is named, every command refuses to make one and names init; a drop can be read", async () => {
    const lines = [
      ["nightly"],
      ["schedule", "--cron", "0 3 1 1 *"],
      ["query", "select 1"],
      ["export", "--to", "elsewhere"],
      ["doctor", "--repair"]
    ]
    const settings = { CARDLAKE_URL: "http://127.0.0.1:9", CARDLAKE_API_KEY: key }
    const before = readdirSync(cardlake.cwd)
    for (const { code, stderr, stdout } of await Promise.all(lines.map((line) => run(line, settings)))) {
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.match(stderr, /^cardlake: No lake configured in .*\bcardlake init FOLDER; .*\n$/)
    }
    const checked = await run(["doctor"], settings)
    assert.match(checked.stdout, /^BAD {2}home +No lake configured in/m)
    const verified = await run(["export", "--to", "drop", "--verify"])
    assert.strictEqual(verified.code, 0, verified.stderr)
    assert.strictEqual((await run(["query", "--allow-files", "--csv", "select 6 * 7"])).stdout, "(6 * 7)\n42\n")
    assert.deepStrictEqual(readdirSync(cardlake.cwd), before)
  })

  it("contacts nothing but this machine, which would have been noted, and leaves the home folder empty", () => {
    assert.isFalse(existsSync(cardlake.contacts), "a socket to elsewhere was refused")
    assert.deepStrictEqual(readdirSync(cardlake.home), [])
  })
})
