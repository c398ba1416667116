import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { connect, createServer, type Socket } from "node:net"
import { type TinyBucket, address, said, tinyBucket } from "../../store/home/tinyBucket.ts"
import { type Started, startCardlake } from "../../pipelines/cli.ts"
import { gamesOf } from "./gamesOf.ts"
import { ownPostgres, type OwnPostgres } from "./ownPostgres.ts"
import { hasPostgres, whyNoPostgres } from "./postgresPrograms.ts"

const games = ["amber", "basalt", "coral", "diorite"]

/** A network between a worker and a server, which may refuse, hang, or let through. */
const network = async (port: number) => {
  const sockets = new Set<Socket>()
  const state = { is: "there" as "there" | "refusing" | "hanging" }
  const server = createServer((near) => {
    sockets.add(near)
    near.on("error", () => {})
    if (state.is === "refusing") return void near.resetAndDestroy()
    const far = connect(port, "127.0.0.1")
    far.on("error", () => near.destroy())
    near.on("close", () => far.destroy())
    near.on("data", (data) => state.is === "there" && far.write(data))
    far.on("data", (data) => state.is === "there" && near.write(data))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const at = server.address()
  return {
    url: `http://127.0.0.1:${at !== null && typeof at === "object" ? at.port : 0}`,
    becomes: (is: "there" | "refusing" | "hanging") => {
      state.is = is
      if (is !== "hanging") for (const socket of sockets) socket.resetAndDestroy()
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  }
}

const perMinute = 120

describe.skipIf(!hasPostgres)(`a worker without a network (${whyNoPostgres})`, () => {
  let postgres: OwnPostgres
  let tiny: TinyBucket
  let way: Awaited<ReturnType<typeof network>>
  let ways: ReadonlyArray<typeof way>
  let workers: ReadonlyArray<Started> = []
  beforeAll(async () => {
    postgres = await ownPostgres()
    tiny = await tinyBucket(gamesOf(games, 500), { rateLimit: perMinute, rateWindow: "sliding" })
    way = await network(Number(new URL(tiny.store.url).port))
    const toMarketplace = await network(Number(new URL(tiny.sandbox.url).port))
    ways = [way, toMarketplace, await network(postgres.port)]
  }, 600_000)
  afterEach(async () => {
    for (const { ended, process } of workers) {
      process.kill("SIGTERM")
      await ended
    }
    workers = []
    tiny.store.objects.clear()
    for (const one of ways) one.becomes("there")
  })
  afterAll(async () => {
    for (const one of ways) one.close()
    await tiny.stop()
    await postgres.remove()
  })

  /** A worker whose requests to store, marketplace and Postgres each have a way of their own. */
  const startLonely = async () => {
    const [toStore, toMarketplace, toPostgres] = ways.map(({ url }) => url)
    const cluster = postgres.url.replace(String(postgres.port), new URL(toPostgres ?? "").port)
    const lonely = startCardlake(["worker", "--cluster", cluster, "--name", "lonely"], {
      env: {
        ...tiny.env(address),
        AWS_ENDPOINT_URL_S3: toStore ?? "",
        CARDLAKE_URL: tiny.env(address).CARDLAKE_URL.replace(tiny.sandbox.url, toMarketplace ?? "")
      }
    })
    await lonely.shows("waits for nights")
    return lonely
  }
  const startOther = async () => {
    const other = tiny.start("worker", "--cluster", postgres.url, "--name", "other")
    await other.shows("waits for nights")
    return other
  }
  const assertNight = async (night: ReturnType<TinyBucket["run"]>, lonely: Started, why: RegExp) => {
    const began = Date.now()
    const ended = await night
    process.stdout.write(`the night ended ${((Date.now() - began) / 1000).toFixed(1)} s after the network was gone\n`)
    assert.deepStrictEqual(
      said(ended),
      games.map((name) => `${name} published`),
      ended.stderr + lonely.text()
    )
    assert.deepStrictEqual(
      tiny.steps().map((step) => step.split(" ")[0]),
      games
    )
    assert.match(lonely.text(), why)
    assert.match(lonely.text(), /Worker lonely-\w+ waits for (it|the store)/)
    assert.notMatch(lonely.text(), /: failed in/)
    const answer = await fetch(`${tiny.sandbox.url}/sandbox/limits`)
    const { accounts } = (await answer.json()) as { accounts: ReadonlyArray<{ refused: number; maxPerMinute: number }> }
    for (const { maxPerMinute, refused } of accounts) {
      assert.strictEqual(refused, 0)
      assert.isAtMost(maxPerMinute, perMinute)
    }
    // It takes part again once the network is there.
    const before = lonely.text().length
    for (const one of ways) one.becomes("there")
    while (!lonely.text().slice(before).includes("waits for nights")) await sleep(200)
  }

  for (const is of ["refusing", "hanging"] as const) {
    const why =
      is === "refusing" ? /starts again: Read s3:.* failed: ECONN\w+\./ : /starts again: Read s3:.* failed: no answer\./

    it(`leaves what it reads to others if its store is ${is} during a night`, async () => {
      const lonely = await startLonely()
      const night = tiny.run("nightly", "--cluster", postgres.url, "--json")
      await lonely.shows(": reading")
      const other = await startOther()
      workers = [lonely, other]
      way.becomes(is)
      await assertNight(night, lonely, why)
    })

    it(`fails no game that it takes while its store is ${is}`, async () => {
      const lonely = await startLonely()
      way.becomes(is)
      const night = tiny.run("nightly", "--cluster", postgres.url, "--json")
      await lonely.shows("starts again")
      const other = await startOther()
      workers = [lonely, other]
      await assertNight(night, lonely, why)
    })
  }

  it("leaves what it reads to others if it has no network at all during a night", async () => {
    const lonely = await startLonely()
    const night = tiny.run("nightly", "--cluster", postgres.url, "--json")
    await lonely.shows(": reading")
    const other = await startOther()
    workers = [lonely, other]
    for (const one of ways) one.becomes("hanging")
    await assertNight(night, lonely, /starts again: Postgres does not answer/)
  })
})
