import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { serveSandbox } from "../../src/market/serveSandbox.ts"
import { type Asked, listen } from "../feed/client/StrangeServer.ts"
import { catalogueFolder } from "../store/lake/invented.ts"
import { newFolder, live } from "../support/suite.ts"
import { type Started, startCardlake } from "../pipelines/cli.ts"
import { card } from "../feed/rows/records.ts"

const maxMegabytes = 512
const [rotten, sound] = ["rotten", "sound"]

/** Joined gzip bodies are one gzip body: `times` texts of 16 MB that take 16 KB each. */
const bomb = (before: string, filling: string, times: number, after = ""): Buffer => {
  const packed = gzipSync(filling.repeat((16 * 1024 * 1024) / filling.length))
  return Buffer.concat([gzipSync(before), ...Array.from({ length: times }, () => packed), gzipSync(after)])
}
/** Answers for a marketplace of two games, one of which sends a bomb. False: the sandbox answers. */
type Bomb = (asked: Asked, response: ServerResponse, url: string) => boolean | Promise<boolean>

const served = Effect.fnUntraced(function* (bombOf: Bomb) {
  const of = (gameId: string, ...ids: ReadonlyArray<number>) => [{ products: ids.map((id) => card(id, { gameId })) }]
  const catalogue = yield* catalogueFolder({ [rotten]: of(rotten, 1, 2, 3), [sound]: of(sound, 11, 12, 13) })
  const sandbox = yield* serveSandbox({ catalogue, livePrices: "frozen" })
  const pass = async (asked: Asked, response: ServerResponse) => {
    if (await bombOf(asked, response, url)) return
    const { body, headers, path, query } = asked
    const kept = { authorization: String(headers["authorization"]), "content-type": "application/json" }
    const sent = body === "" ? { headers: kept } : { headers: kept, body, method: "POST" }
    const answered = await fetch(`${sandbox.origin}${path}${query.size === 0 ? "" : `?${query}`}`, sent)
    response.writeHead(answered.status).end(Buffer.from(await answered.arrayBuffer()))
  }
  const { settings } = yield* listen((asked, response) => void pass(asked, response))
  const url = settings.CARDLAKE_URL
  const home = join(yield* newFolder, "home")
  return { home, env: { ...settings, CARDLAKE_API_KEY: sandbox.key, CARDLAKE_HOME: home } }
})

/** Maximum memory that a started program ever had; asserted when the returned effect runs. */
const watchMemory = ({ process }: Started, what: string) => {
  let megabytes = 0
  const look = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${process.pid}/status`, "utf8")
      megabytes = Math.max(megabytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
    } catch {
      // It has ended.
    }
  }, 10)
  return Effect.sync(() => {
    clearInterval(look)
    console.log(`${what}: ${Math.round(megabytes)} MB`)
    assert.isBelow(megabytes, maxMegabytes)
  })
}

/** Runs a command to its end within the memory. */
const measured = Effect.fnUntraced(function* (args: ReadonlyArray<string>, env: Record<string, string>) {
  const started = startCardlake(args, { env })
  const check = watchMemory(started, args.join(" ").slice(0, 60))
  const ended = yield* Effect.promise(() => started.ended)
  yield* check
  return ended
})

interface Told {
  readonly games: ReadonlyArray<{ readonly gameId: string; readonly reason: string | null } & Record<string, unknown>>
}

/** What a command said of both games as JSON. */
const told = Effect.fnUntraced(function* (args: ReadonlyArray<string>, env: Record<string, string>) {
  const { stderr, stdout } = yield* measured([...args, "--json"], env)
  const { games } = JSON.parse(stdout === "" ? "{}" : stdout) as Partial<Told>
  const of = (id: string) => games?.find(({ gameId }) => gameId === id) ?? assert.fail(stderr)
  return { rotten: of(rotten), sound: of(sound) }
})

const isSearch = ({ body, path }: Asked) => path === "/v1/products/search" && body.includes(rotten)
const isFeeds = ({ path }: Asked) => path === `/v1/feeds/${rotten}`
const isHistory = ({ path }: Asked) => /^\/v1\/products\/[123]\/.*history/.test(path)

/** Answers with a body where a game is asked about, packed or not. */
const answers =
  (isAsked: (asked: Asked) => boolean, body: Buffer): Bomb =>
  (asked, response) => {
    if (!isAsked(asked)) return false
    response.writeHead(200, body[0] === 0x1f ? { "content-encoding": "gzip" } : {}).end(body)
    return true
  }

const zeros = bomb("0", "0", 200)
const values = bomb('{"data":[0', ",0", 1, '],"pagination":{"total":3,"limit":200,"offset":0,"hasMore":false}}')
const nearlyTooMany = gzipSync(`{"data":[0${",{}".repeat(1_190_000)}],"pagination":{"total":3}}`)
const plain = Buffer.from(`{"data":["${"x".repeat(30_000_000)}"]}`)

const lines = [1, 2, 3].map((id) => `{"id":${id},"productType":"card","name":"Card ${id}"}\n`).join("")
const line = gzipSync(`${"x".repeat(60_000_000)}\n`)

/** The feed files of one game, whose products are these bytes. */
const feedOf =
  (file: Buffer, recordCount: number): Bomb =>
  (asked, response, url) => {
    if (asked.path === "/bomb") response.end(file)
    if (!isFeeds(asked)) return asked.path === "/bomb"
    const stated = { checksum: "0".repeat(64), sizeBytes: file.length, recordCount, url: `${url}/bomb` }
    const about = { ...stated, lastRefreshedAt: "2030-01-01T00:00:00.000Z", generatedAt: "2030-01-01T00:00:00.000Z" }
    response.end(JSON.stringify({ catalog: about, expansions: about, prices: about }))
    return true
  }

const nights: ReadonlyArray<readonly [what: string, via: "feeds" | "pages", bomb: Bomb, why: RegExp]> = [
  ["3 GB of zeros as a page", "pages", answers(isSearch, zeros), /more than 32 MB/],
  ["8 million values as a page", "pages", answers(isSearch, values), /more than 2.4 million values/],
  ["nearly 2.4 million values as a page", "pages", answers(isSearch, nearlyTooMany), /instead of|asked for|page/],
  ["30 MB of one text as a page, not packed", "pages", answers(isSearch, plain), /instead of|asked for|JSON/],
  ["3 GB of zeros about feed files", "feeds", answers(isFeeds, zeros), /more than 32 MB/],
  ["3 GB of line ends behind the lines of a feed file", "feeds", feedOf(bomb(lines, "\n", 200), 3), /bytes unpacked/],
  ["3 GB of one line in a feed file", "feeds", feedOf(bomb(lines, "x", 200), 20_000_000), /bytes unpacked/],
  ["20 lines of 60 MB", "feeds", feedOf(Buffer.concat(Array.from({ length: 20 }, () => line)), 1e5), /bytes unpacked/]
]

describe(`a bomb takes less than ${maxMegabytes} MB, and its game alone fails`, () => {
  for (const [what, via, bombOf, why] of nights) {
    live(
      what,
      function* () {
        const { env } = yield* served(bombOf)
        const games = yield* told(["nightly"], { ...env, CARDLAKE_VIA: via })
        assert.match(games.rotten.reason ?? "", why)
        assert.deepStrictEqual([games.rotten["verdict"], games.sound["verdict"]], ["failed", "published"])
      },
      300_000
    )
  }

  live(
    "3 GB of zeros as a price history",
    function* () {
      const { env } = yield* served(answers(isHistory, zeros))
      yield* told(["nightly"], env)
      const games = yield* told(["backfill", rotten, sound, "--where", "true"], env)
      assert.match(games.rotten.reason ?? "", /more than 32 MB/)
      assert.deepStrictEqual([games.rotten["failed"], games.sound["failed"]], [3, 0])
    },
    300_000
  )

  for (const [what, bombOf] of [
    ["a page", answers(isSearch, zeros)],
    ["a feed file", feedOf(bomb("", "x", 200), 3)]
  ] as const) {
    live(
      `3 GB as ${what} that is captured`,
      function* () {
        const { env, home } = yield* served(bombOf)
        const file = `${home}.json`
        yield* measured(["doctor", "--capture", file, "--game", rotten, "--yes"], env)
        assert.match(readFileSync(file, "utf8"), /more than (32|16) MB/)
      },
      300_000
    )
  }

  live(
    "3 GB of zeros as a stored page",
    function* () {
      const { env, home } = yield* served(() => false)
      yield* told(["nightly"], env)
      const raw = join(home, "raw", rotten)
      const reading = join(raw, readdirSync(raw)[0] ?? "")
      const page = join(reading, "pages/products-000000.json.gz")
      const sumOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")
      const extraction = readFileSync(join(reading, "extraction.json"), "utf8")
      const forged = extraction.replace(sumOf(readFileSync(page)), sumOf(zeros))
      assert.notStrictEqual(forged, extraction)
      writeFileSync(join(reading, "extraction.json"), forged)
      writeFileSync(page, zeros)
      const { code, stderr } = yield* measured(["replay", rotten], env)
      assert.strictEqual(code, 1)
      assert.match(stderr, /products-000000.json.gz is damaged \(.*more than 32 MB/)
    },
    300_000
  )

  live(
    "3 GB of zeros as an import of the sandbox",
    function* () {
      const started = startCardlake(["sandbox", "--json"])
      const check = watchMemory(started, "sandbox")
      yield* Effect.promise(() => started.shows("}"))
      const { seller, url } = JSON.parse(started.text()) as {
        readonly seller: { readonly key: string }
        readonly url: string
      }
      const ask = (path: string, init: RequestInit = {}) =>
        Effect.promise(async () => {
          const answer = await fetch(`${url}${path}`, { ...init, headers: { authorization: `Bearer ${seller.key}` } })
          const text = await answer.text()
          assert.isTrue(answer.ok, text)
          return (JSON.parse(text) as { readonly job: { readonly id: string; readonly status: string } }).job
        })
      for (const format of ["csv", "json"]) {
        const body = new FormData()
        body.append("format", format)
        body.append("file", new Blob([new Uint8Array(zeros)]), "stock.gz")
        let job = yield* ask("/v1/inventory/bulk/import", { method: "POST", body })
        for (let asked = 0; asked < 600 && !/completed|failed/.test(job.status); asked++) {
          yield* Effect.sleep(100)
          job = yield* ask(`/v1/inventory/bulk/jobs/${job.id}`)
        }
        assert.strictEqual(job.status, "failed", JSON.stringify(job))
      }
      yield* check
      started.process.kill()
    },
    300_000
  )
})
