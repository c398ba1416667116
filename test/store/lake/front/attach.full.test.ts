import { DuckDBInstance } from "@duckdb/node-api"
import { assert } from "@effect/vitest"
import { execFile, spawn, spawnSync } from "node:child_process"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { Effect } from "effect"
import { cardlake, settings, startSandbox } from "../../../pipelines/cli.ts"
import { sqlText } from "../../../../src/store/lake/duckdb/Lake.ts"
import { pythonPrograms } from "../../../support/fetchedPrograms.ts"
import { live } from "../../../support/suite.ts"
import { temporaryFolder } from "../../../warehouse/FourNights.ts"
import { hasVersitygw, startVersitygw } from "../../home/startVersitygw.ts"
import { catalogueFolder, repricedGame } from "../invented.ts"
import { served } from "./rangeServer.ts"

const packages = ["pytz", "duckdb==1.5.5", "duckdb-cli==1.5.5", "duckdb-extension-httpfs==1.5.5"]
const bin = pythonPrograms("attach", ...packages)
const [python, program] = [join(bin ?? "", "python"), join(bin ?? "", "duckdb")]
const find = `import duckdb_extension_httpfs as h, glob; print(glob.glob(h.__path__[0] + '/**/*.duckdb_extension', recursive=True)[0])`
const extension = spawnSync(python, ["-c", find]).stdout?.toString().trim() ?? ""
const areThere = hasVersitygw && bin !== null

/**
 * The state of a database: every game is of the same day, a card costs what its number says more than the day, and all
 * nights have all prices.
 */
const query = `
  select concat_ws(' ', count(distinct day), min(day), (select count(*) from source_price_history) = 3 * (select count(*) from nights))
  from (select (low - product_id)::int as day from source_prices)`

/** What a reader sees; without answers that are no state: the front was replaced while it was attached, which DuckDB reports. */
const statesOf = (answers: ReadonlyArray<string>) =>
  answers.filter((answer) => !/ETag|front\.duckdb.*(changed|modified)/.test(answer))

/** Returns the address of the newest front that never changes, for the address of a `front.json`; any other unchanged. */
const newestFront = async (address: string): Promise<string> => {
  if (!address.endsWith("/front.json")) return address
  const { fronts } = (await (await fetch(address)).json()) as {
    fronts: ReadonlyArray<{ files: ReadonlyArray<string> }>
  }
  return address.replace("front.json", fronts[0]?.files.at(-1) ?? "")
}

type Reader = (isOver: () => boolean, database: string, options: string) => Promise<ReadonlyArray<string>>

const readers: Readonly<Record<"python" | "cli" | "node", Reader>> = {
  python: async (isOver, database, options) => {
    const file = fileURLToPath(new URL("./attach.py", import.meta.url))
    const child = spawn(python, [file, extension, options, database, query], { stdio: ["pipe", "pipe", "inherit"] })
    const watch = setInterval(() => isOver() && child.stdin.end(), 100)
    const answers = JSON.parse(await text(child.stdout)) as ReadonlyArray<string>
    clearInterval(watch)
    return answers
  },
  cli: async (isOver, database, options) => {
    const answers: Array<string> = []
    while (!isOver() || answers.length === 0) {
      const newest = await newestFront(database)
      const sql = `load '${extension}'; ${options}; attach '${newest}' as cards (read_only); use cards; ${query}`
      const ended = await promisify(execFile)(program, [":memory:", "-csv", "-noheader", "-c", sql]).catch(
        (error: { readonly stderr: string }) => ({ stdout: error.stderr })
      )
      answers.push(ended.stdout.trim().replace(/^true\n/, ""))
      await setTimeout(300)
    }
    return answers
  },
  node: async (isOver, database, options) => {
    const answers: Array<string> = []
    while (!isOver() || answers.length === 0) {
      answers.push(await askHere(database, options).catch(String))
      await setTimeout(300)
    }
    return answers
  }
}

const askHere = async (database: string, options: string) => {
  const instance = await DuckDBInstance.create(":memory:")
  try {
    const connection = await instance.connect()
    await connection.run(options)
    await connection.run(`attach ${sqlText(database)} as cards (read_only); use cards`)
    return String((await connection.runAndReadAll(query)).getRowsJson()[0]?.[0])
  } finally {
    instance.closeSync()
  }
}

const days = 4
const bucket = "s3://lakes/attached"

live.skipIf(!areThere)(
  "readers of three kinds attach a bucket and a folder while nights publish and prune, and never miss a file or see half a night",
  function* () {
    const games = Object.fromEntries(["birch", "cedar"].map((name) => [name, repricedGame(name, { days })]))
    const catalogue = yield* catalogueFolder(games)
    const [gateway, sandbox] = yield* Effect.acquireRelease(
      Effect.promise(() => Promise.all([startVersitygw(), startSandbox({ catalogue })])),
      (started) => Effect.promise(() => Promise.all(started.map(({ stop }) => stop())))
    )
    const [home, front] = [yield* temporaryFolder, yield* temporaryFolder]
    const { url } = yield* served(front)
    const run = (to: string, ...args: ReadonlyArray<string>) =>
      Effect.promise(async () => {
        const isBucket = to === bucket
        const publicUrl: Record<string, string> = isBucket ? {} : { CARDLAKE_FRONT: front, CARDLAKE_PUBLIC_URL: url }
        const { code, stderr } = await cardlake(args, {
          env: { ...settings(sandbox.url, to), ...gateway.env, ...publicUrl }
        })
        assert.deepStrictEqual([code, /The front in/.test(stderr)], [0, false], stderr)
      })
    const both = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
      yield* run(home, ...args)
      yield* run(bucket, ...args)
    })
    yield* both("nightly")
    yield* run(bucket, "front", "publish")
    let isOver = false
    const secret = gateway.secret
    // PyPI has no extension of the version that Node has, so Node reads the folder itself.
    const places = [
      ["python", `${bucket}/front.duckdb`, secret],
      ["python", `${url}/front.json`, secret],
      ["cli", `${bucket}/front.duckdb`, secret],
      ["cli", `${url}/front.json`, secret],
      ["node", join(front, "front.duckdb"), `set variable cardlake_base = ${sqlText(front)}`]
    ] as const
    const all = Promise.all(
      places.map(async ([name, database, options]) => ({
        reader: `${name} ${database}`,
        answers: await readers[name](() => isOver, database, options)
      }))
    )
    const endMillis = Date.now() + 60_000
    for (let day = 2; day <= days && (day === 2 || Date.now() < endMillis); day++) {
      for (const game of Object.keys(games)) yield* Effect.promise(() => sandbox.deploy(game))
      yield* both("nightly")
      yield* both("prune", "--keep-last", "1", "--yes")
    }
    isOver = true
    for (const { answers, reader } of yield* Effect.promise(() => all)) {
      const states = statesOf(answers)
      const seen = [...new Set(states)]
      console.info(
        `${reader}: attached ${answers.length} times, ${answers.length - states.length} while it was replaced; ${seen.join(", ")}`
      )
      assert.deepStrictEqual(
        seen.filter((state) => !/^1 [0-4] true$/.test(state)),
        [],
        reader
      )
      assert.isAbove(seen.length, 1, reader)
    }
  }
)
