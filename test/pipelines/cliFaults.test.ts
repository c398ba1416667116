import { catalogueHere, folderHere } from "../support/place.ts"
import { card } from "../store/lake/invented.ts"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assertFault, cardlake, json, lakeHash, settings } from "./cli.ts"
import type { Ended } from "./runHere.ts"
import { type Exchange, startAnswering, startProxy } from "./proxy.ts"

const folder = folderHere()
const home = join(folder, "lake")
const game = "clockwork-orchard"
/** Twenty cards of a game, and one more after a deployment. */
const deployed = (gameId: string) =>
  [20, 21].map((length) => ({
    products: Array.from({ length }, (_, place) => card(place + 1, { gameId, game: { id: gameId, name: gameId } }))
  }))
const sandbox = await catalogueHere({
  emberfall: deployed("emberfall"),
  tidewrack: deployed("tidewrack"),
  [game]: deployed(game)
})
json(await cardlake(["nightly", game, "--json"], { env: settings(sandbox.url, home) }))
await sandbox.deploy(game)
const published = lakeHash(home)
const running: Array<{ readonly stop: () => void }> = []

afterAll(() => running.forEach((server) => server.stop()))

const night = (url: string, env: Record<string, string> = {}, ...args: ReadonlyArray<string>) =>
  cardlake(["nightly", ...(args.length > 0 ? args : [game])], {
    cwd: folder,
    env: { ...settings(url, home), ...env },
    hasShortWaits: true
  })

const answering = async (status: number, contentType: string, body: string) => {
  const server = await startAnswering(status, contentType, body)
  running.push(server)
  return server.url
}
const changing = async (change: (exchange: Exchange) => string) => {
  const proxy = await startProxy(sandbox.url, change)
  running.push(proxy)
  return proxy.url
}
const isProductsOf = (gameId: string, { asked, path }: Exchange) =>
  path.startsWith("/v1/products/search") && asked.includes(`"${gameId}"`)

describe("a night that cannot be made says why in one sentence, names the next step and leaves the lake as it was", () => {
  const without = (name: string) =>
    cardlake(["nightly", game], {
      cwd: folder,
      env: Object.fromEntries(Object.entries(settings(sandbox.url, home)).filter(([one]) => one !== name))
    })
  const inHome = (below: string) => night(sandbox.url, { CARDLAKE_HOME: below })
  writeFileSync(join(folder, "file"), "")
  const cases: ReadonlyArray<readonly [what: string, night: () => Promise<Ended>, code: number, says: RegExp]> = [
    [
      "with a wrong key",
      () => night(sandbox.url, { CARDLAKE_API_KEY: "wrong" }, game, "--json"),
      1,
      /^cardlake: The marketplace refused the API key .*Check CARDLAKE_API_KEY with: cardlake doctor$/
    ],
    [
      "without a key",
      () => without("CARDLAKE_API_KEY"),
      1,
      /^cardlake: CARDLAKE_API_KEY is missing .*then check with: cardlake doctor$/
    ],
    [
      "without an address",
      () => without("CARDLAKE_URL"),
      1,
      /^cardlake: CARDLAKE_URL is missing .*then check with: cardlake doctor$/
    ],
    [
      "with a --url that is no web address",
      () => night(sandbox.url, {}, game, "--url", "htp://x"),
      2,
      /^cardlake: --url is not an address that begins with http:\/\/ or https:\/\/\. Correct it and run this again$/
    ],
    [
      "at a server that answers 404 with other JSON",
      async () => night(await answering(404, "application/json", '{"error":"no such page"}')),
      1,
      /did not answer .* as the marketplace does: it answers 404 .*Check CARDLAKE_URL with: cardlake doctor$/
    ],
    [
      "of a game that the marketplace does not have",
      () => night(sandbox.url, {}, "magic"),
      2,
      /^cardlake: The marketplace has no game magic\. It has: emberfall, tidewrack, clockwork-orchard$/
    ],
    [
      "in a home that lies below a file, before anything is read",
      () => inHome(join(folder, "file/lake")),
      1,
      /^cardlake: The home .*file\/lake cannot be written to .*choose another with CARDLAKE_HOME or --home$/
    ],
    ...(process.platform === "linux"
      ? ([
          [
            "in a home in /proc, where no folder can be made",
            () => inHome("/proc/cardlake"),
            1,
            /^cardlake: The home \/proc\/cardlake cannot be written to .*choose another with CARDLAKE_HOME or --home$/
          ]
        ] as const)
      : [])
  ]
  for (const [what, made, code, says] of cases) {
    it(`one ${what}`, async () => {
      const ended = await made()
      assertFault(ended, code, says)
      assert.notInclude(ended.stderr, "reading")
    })
  }
})

interface Night {
  readonly verdict: string
  readonly games: ReadonlyArray<{ gameId: string; verdict: string; reason: string | null; snapshot: string | null }>
}
const nightOf = (ended: Ended) => JSON.parse(ended.stdout) as Night

describe("a game that goes wrong has its reason in the verdict", () => {
  it("a false total holds the snapshot, exit code 3", async () => {
    const url = await changing((exchange) =>
      isProductsOf(game, exchange) ? exchange.answer.replace(/"total":\d+/, '"total":100') : exchange.answer
    )
    const ended = await night(url, {}, game, "--json")
    assert.strictEqual(ended.code, 3, ended.stderr)
    assert.match(
      nightOf(ended).games[0]?.reason ?? "",
      /^The pages of clockwork-orchard are inconsistent after 5 rounds: .*cardlake nightly/
    )
  })
})

describe("a night that tries again before it gives up", () => {
  it("ends with exit code 1 and the same lake where nothing listens", async () => {
    const ended = await night("http://127.0.0.1:9")
    assert.strictEqual(lakeHash(home), published)
    assertFault(ended, 1, /^cardlake: No answer from http:\/\/127\.0\.0\.1:9 .*ECONNREFUSED.*with: cardlake doctor$/)
  })

  it("fails only the game of a broken page, exit code 4, and publishes the others", async () => {
    const url = await changing((exchange) =>
      isProductsOf("tidewrack", exchange) ? exchange.answer.slice(0, -1000) : exchange.answer
    )
    const other = join(folder, "some")
    const ended = await night(url, { CARDLAKE_HOME: other }, game, "tidewrack", "--json")
    assert.strictEqual(ended.code, 4, ended.stderr)
    const [fine, broken] = nightOf(ended).games
    assert.strictEqual(nightOf(ended).verdict, "failed")
    assert.strictEqual(fine?.verdict, "published")
    assert.strictEqual(broken?.verdict, "failed")
    assert.match(
      broken?.reason ?? "",
      /^The page POST \/v1\/products\/search.*arrived broken .*5 attempts.*Run it again later: cardlake nightly --home .*; if it persists, report/
    )
    const answer = await cardlake(["query", "--home", other, "--csv", "select game_id from games"])
    assert.strictEqual(answer.stdout, `game_id\n${game}\n`)
  })
})

describe("after all these nights", () => {
  it("the lake is the old one, byte for byte", () => {
    assert.strictEqual(lakeHash(home), published)
  })

  it("the lake answers, and the next night is published", async () => {
    const answer = await cardlake(["query", "--home", home, "--csv", "select count(*) as n from products"])
    assert.strictEqual(answer.stdout, "n\n20\n")
    const ended = await night(sandbox.url, {}, game, "--json")
    assert.strictEqual(nightOf(ended).games[0]?.verdict, "published", ended.stdout)
    assert.notStrictEqual(lakeHash(home), published)
  })
})
