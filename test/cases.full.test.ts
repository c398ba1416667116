import { assert, afterAll, beforeAll, describe, it } from "@effect/vitest"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { freePort } from "./support/freePort.ts"
import { noPostgres, servePostgres } from "./warehouse/servePostgres.ts"
import {
  cardlake,
  json,
  main,
  node,
  remove,
  settings,
  start,
  startCardlake,
  startSandbox,
  temporaryFolder
} from "./pipelines/cli.ts"

/** Inputs that once failed. They lie beside the project and are never part of it. */
const cases = fileURLToPath(new URL("../../shared/cases", import.meta.url))
const isThere = existsSync(join(cases, "README.md"))
if (!isThere) console.warn(`Skipped: there are no cases in ${cases}`)

/** Starts a Python program of the cases on a free port, once it answers. */
const served = async (name: string, ...args: ReadonlyArray<string>) => {
  const port = await freePort()
  const program = start("python3", ["-u", join(cases, name), String(port), ...args])
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 100; tries++) {
    const answers = await fetch(url).then(
      () => true,
      () => false
    )
    if (answers) return { ...program, url }
    await sleep(100)
  }
  throw new Error(`${name} does not answer: ${program.text()}`)
}

describe.skipIf(!isThere)("cases of ../shared/cases", { timeout: 600_000 }, () => {
  let folder: string
  let sandbox: Awaited<ReturnType<typeof startSandbox>>
  let made: Promise<string> | null = null
  /** The lake that `npm start` makes. */
  const demo = () => {
    made ??= (async () => {
      const home = join(folder, "demo")
      const { code, stderr } = await startCardlake(["demo", "--home", home], { cwd: folder }).ended
      assert.strictEqual(code, 0, stderr)
      return home
    })()
    return made
  }
  beforeAll(async () => {
    folder = temporaryFolder()
    sandbox = await startSandbox()
  })
  afterAll(async () => {
    await sandbox.stop()
    remove(folder)
  })

  /** A folder with the installed command, which the script of a load starts. */
  const programs = (): string => {
    const file = join(folder, "cardlake")
    writeFileSync(file, `#!/bin/sh\nexec "${node}" "${main}" "$@"\n`, { mode: 0o755 })
    return folder
  }

  /** What Postgres has of a drop after its script, which psql runs with these variables. */
  const loaded = async (home: string, sql: string, env: Record<string, string> = {}) => {
    const drop = `${home}-drop`
    json(await cardlake(["export", "--to", drop, "--home", home, "--json"]))
    const script = await cardlake(["export", "--to", drop, "--sql", "postgres", "--home", home])
    return Effect.runPromise(
      Effect.scoped(
        Effect.map(servePostgres, (psql) => {
          const { code, errors } = psql("postgres", script.stdout, {
            ...env,
            PATH: `${programs()}:${process.env["PATH"]}`
          })
          assert.strictEqual(code, 0, errors)
          return psql("postgres", sql, { PGCLIENTENCODING: "UTF8" }).out
        })
      )
    )
  }

  it.skipIf(noPostgres !== null)("a name with a line of the end of data is loaded into Postgres", async () => {
    const market = await served("marketplace.py", "end-mark")
    const home = join(folder, "end-mark")
    json(await cardlake(["nightly", "--json"], { env: settings(market.url, home) }))
    market.process.kill()
    const names = await loaded(home, "select replace(name, E'\\n', '|') from cardlake.products order by product_id")
    assert.strictEqual(names, "Ember Drake\nLine one|\\.|line three\n")
  })

  for (const encoding of ["LATIN1", "WIN1252"]) {
    it.skipIf(noPostgres !== null)(`names are loaded as they are by a client of ${encoding}`, async () => {
      const sql = "select distinct name from cardlake.products where product_id = 3000000056"
      const names = await loaded(await demo(), sql, { PGCLIENTENCODING: encoding })
      assert.include(names, "Zażółć")
    })
  }

  const columns: ReadonlyArray<readonly [file: string, column: string, values: Array<unknown>]> = [
    ["money", "paid::double", [100, 100, 0.15, -5, -5, -12.5, 400, 400, null, 1234.56, 1234.56, 1234.5, 3.5]],
    ["finishes", "finish", [...Array.from({ length: 7 }, () => "Standard"), "Foil"]],
    ["conditions", "condition", ["NM", "LP", "MP", "HP", "HP", "HP", null, null]],
    ["semicolons", "cards::integer", [2, 1]],
    ["quantities", "cards::integer", [4, 1, 4, 4]],
    ["dragon-shield-app", "tool || cards || condition || paid::double", ["Dragon Shield2NM1.5"]]
  ]
  for (const [file, column, values] of columns) {
    it(`own cards of ${file}.csv are ${values.join(", ")}`, async () => {
      const home = await demo()
      json(await cardlake(["collection", "import", join(cases, `${file}.csv`), "--json", "--home", home]))
      const sql = `select ${column} as value from collection_cards where collection = '${file}' order by row`
      const rows = json(await cardlake(["query", "--json", sql, "--home", home])) as ReadonlyArray<{ value: unknown }>
      assert.deepStrictEqual(
        rows.map(({ value }) => value),
        [...values]
      )
    })
  }

  it("an empty cursor ends a changelog", async () => {
    const market = await served("marketplace.py", "empty-cursor")
    const night = json(await cardlake(["nightly", "--json"], { env: settings(market.url, join(folder, "cursor")) }))
    market.process.kill()
    assert.strictEqual((night as { verdict: string }).verdict, "published")
  })

  it("CSV for a spreadsheet begins with a byte order mark, and no other does", async () => {
    const sql = "select name from products where product_id = 3000000056"
    const bytesOf = async (...args: ReadonlyArray<string>) =>
      Buffer.from((await startCardlake([...args, "--home", await demo()]).ended).stdout, "utf8")
    const mark = Buffer.from([0xef, 0xbb, 0xbf])
    for (const args of [
      ["query", "--csv", sql],
      ["diff", "emberfall", "--format", "csv"]
    ]) {
      assert.isTrue((await bytesOf(...args, "--spreadsheet")).subarray(0, 3).equals(mark), args.join(" "))
      assert.isFalse((await bytesOf(...args)).subarray(0, 3).equals(mark), args.join(" "))
    }
  })

  it("headers with blanks around them arrive at a collector", async () => {
    const collector = await served("collector.py")
    const env = {
      ...settings(sandbox.url, join(folder, "traced")),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: "x-scope=a , x-b=c"
    }
    json(await startCardlake(["nightly", "emberfall", "--json"], { env }).ended)
    const lines = collector.text().split("\n")
    collector.process.kill()
    for (const path of ["/v1/traces", "/v1/metrics", "/v1/logs"]) {
      const line = lines.find((each) => each.startsWith(`${path} `)) ?? ""
      assert.match(line, /'x-scope': 'a'/, path)
      assert.match(line, /'x-b': 'c'/, path)
    }
  })

  /** The store of the cases, and what its clients have to be told. */
  const startStore = async () => {
    const store = start("python3", ["-u", join(cases, "store.py")])
    await store.shows("CARDLAKE_S3_PATH_STYLE")
    const exported = [...store.text().matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value])
    return { ...store, env: { ...settings(sandbox.url, "s3://lakes/cards"), ...Object.fromEntries(exported) } }
  }

  it("a store that answers each conditional write with 409 once takes a night", async () => {
    const store = await startStore()
    const ended = await cardlake(["nightly", "emberfall", "--json"], { env: store.env, hasShortWaits: true })
    store.process.kill()
    assert.strictEqual((json(ended) as { verdict: string }).verdict, "published")
  })
})
