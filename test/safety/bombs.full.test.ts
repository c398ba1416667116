import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { serveSandbox } from "../../src/market/serveSandbox.ts"
import { type Asked, listen } from "../client/StrangeServer.ts"
import { catalogueFolder } from "../lake/catalogueFolder.ts"
import { newFolder } from "../lake/newFolder.ts"
import { startCardlake, settings } from "../pipelines/cli.ts"
import { card } from "../rows/records.ts"

const maxMegabytes = 512
const [rotten, sound] = ["rotten", "sound"]

/** Joined gzip bodies are one gzip body: `times` texts of 16 MB that take 16 KB each. */
const bomb = (before: string, filling: string, times: number, after = ""): Buffer => {
  const packed = gzipSync(filling.repeat((16 * 1024 * 1024) / filling.length))
  return Buffer.concat([gzipSync(before), ...Array.from({ length: times }, () => packed), gzipSync(after)])
}
/** A marketplace of two games, one of which sends a bomb. Null: as the sandbox answers. */
type Bomb = (asked: Asked, response: ServerResponse, url: string) => boolean | Promise<boolean>

const served = Effect.fnUntraced(function* (bombOf: Bomb) {
  const of = (gameId: string) => [{ products: [1, 2, 3].map((id) => card(id, { gameId })) }]
  const catalogue = yield* catalogueFolder({ [rotten]: of(rotten), [sound]: of(sound) })
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
  return { url, key: sandbox.key, origin: sandbox.origin }
})

/** Runs a command to its end, with the most memory that it ever had. */
const measured = (args: ReadonlyArray<string>, env: Record<string, string>) =>
  Effect.promise(async () => {
    const started = startCardlake(args, { env })
    let megabytes = 0
    const look = setInterval(() => {
      try {
        const status = readFileSync(`/proc/${started.process.pid}/status`, "utf8")
        megabytes = Math.max(megabytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
      } catch {
        // It has ended.
      }
    }, 10)
    const ended = await started.ended
    clearInterval(look)
    console.log(`${args.join(" ").slice(0, 60)}: ${Math.round(megabytes)} MB`)
    assert.isBelow(megabytes, maxMegabytes)
    return ended
  })

interface Told {
  readonly games: ReadonlyArray<{ readonly gameId: string; readonly verdict: string; readonly reason: string | null }>
}

/** A night of both games: the sentence that one failed with, once the other one is published. */
const nightWith = Effect.fnUntraced(function* (bombOf: Bomb, road: "feeds" | "pages") {
  const { key, url } = yield* served(bombOf)
  const env = { ...settings(url, join(yield* newFolder, "home")), CARDLAKE_API_KEY: key, CARDLAKE_ROAD: road }
  const { stderr, stdout } = yield* measured(["nightly", "--json"], env)
  const { games } = JSON.parse(stdout) as Told
  const of = (id: string) => games.find(({ gameId }) => gameId === id)
  assert.strictEqual(of(sound)?.verdict, "published", stderr)
  return of(rotten)
})

const isSearch = ({ body, path }: Asked) => path === "/v1/products/search" && body.includes(rotten)
const pages: Readonly<Record<string, readonly [Buffer, RegExp]>> = {
  "3 GB of zeros": [bomb("0", "0", 200), /more than 64 MB/]
}

const lines = [1, 2, 3].map((id) => `{"id":${id},"productType":"card","name":"Card ${id}"}\n`)
const files: Readonly<Record<string, readonly [Buffer, number, RegExp]>> = {
  "3 GB of line ends behind its lines": [bomb(lines.join(""), "\n", 200), 3, /more than \d+ bytes unpacked/],
  "3 GB of one line": [bomb(lines.join(""), "x", 200), 4, /more than \d+ bytes unpacked/]
}

/** What is said of the feed files of one game, whose products are these bytes. */
const feedOf =
  (file: Buffer, recordCount: number): Bomb =>
  async ({ headers, path }, response, url) => {
    if (path === "/bomb") response.end(file)
    if (path !== `/v1/feeds/${rotten}`) return path === "/bomb"
    const sizeBytes = recordCount > 1e9 ? recordCount : file.length
    const stated = { checksum: "0".repeat(64), sizeBytes, recordCount, url: `${url}/bomb` }
    const about = { ...stated, lastRefreshedAt: "2030-01-01T00:00:00.000Z", generatedAt: "2030-01-01T00:00:00.000Z" }
    assert.isDefined(headers["authorization"])
    response.end(JSON.stringify({ catalog: about, expansions: about, prices: about }))
    return true
  }

describe(`a bomb takes less than ${maxMegabytes} MB, and its game alone fails`, () => {
  for (const [what, [body, why]] of Object.entries(pages)) {
    it.live(
      `${what} as a page`,
      () =>
        Effect.gen(function* () {
          const answer: Bomb = (asked, response) => {
            if (!isSearch(asked)) return false
            response.writeHead(200, { "content-encoding": "gzip" }).end(body)
            return true
          }
          const game = yield* nightWith(answer, "pages")
          assert.match(game?.reason ?? "", why)
        }).pipe(Effect.scoped),
      300_000
    )
  }
  for (const [what, [file, records, why]] of Object.entries(files)) {
    it.live(
      `${what} as feed files`,
      () =>
        Effect.gen(function* () {
          const game = yield* nightWith(feedOf(file, records), "feeds")
          assert.strictEqual(game?.verdict, "failed")
          assert.match(game?.reason ?? "", why)
        }).pipe(Effect.scoped),
      300_000
    )
  }
})
