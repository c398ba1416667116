import { afterAll, assert, it } from "@effect/vitest"
import { join } from "node:path"
import { gameId, repricedGame } from "../lake/invented.ts"
import { deployments } from "../../safety/tinyNights.ts"
import { tried } from "../../tried.ts"
import { documentsOf, said, tinyBucket } from "./tinyBucket.ts"

const other = "birch"
const tiny = await tinyBucket({ [gameId]: deployments, [other]: repricedGame(other, { days: 1 }) })
afterAll(tiny.stop)
assert.strictEqual((await tiny.run("nightly")).code, 0)

const lists = () => tiny.store.state.requests.filter((request) => /^GET .*list-type=2/.test(request)).length

/** The store answers the writes of these keys with 200, and loses them: as often as `times` says of each kind. */
const losing = (kind: RegExp, times: number): void => {
  let lost = 0
  tiny.store.state.before = (request, response, body) => {
    const key = decodeURIComponent(String(request.url).split("?")[0] ?? "").slice("/lakes/".length)
    if (request.method !== "PUT" || !kind.test(key) || lost === times) return false
    lost++
    tiny.store.answer(request, response, body)
    tiny.store.objects.delete(key)
    return true
  }
}

const kinds: ReadonlyArray<RegExp> = [
  /\.snapshots\.source_prices\.parquet$/,
  /\.raw\.products-.*gz$/,
  /\.snapshots\.manifest\.json$/,
  /\.list\.json$/,
  /\.month\.json$/,
  /\.(changes|deployments)\./,
  /\/lake\/objects\/.*\.runs\.json$/,
  /\/games\/[^/]+\/commits\//,
  /\/lake\/commits\//
]

for (const kind of tried(kinds, (_, index) => [0, 4, 6, 7, 8].includes(index)))
  it(`a write of ${kind.source} that the store confirms and loses is found before the night publishes, and sent again`, async () => {
    await tiny.sandbox.deploy(gameId)
    losing(kind, 1)
    const night = await tiny.run("nightly", gameId, "--json")
    tiny.store.state.before = () => false
    assert.deepStrictEqual(said(night), [`${gameId} published`])
    if (!kind.source.includes("commits"))
      assert.match(night.stderr, /The store has lost .* after it confirmed the write/)
    assert.deepStrictEqual(await documentsOf(tiny).damaged(), [])
  })

it("where it is lost again, the night fails with a sentence, and what was published stays", async () => {
  await tiny.sandbox.deploy(gameId)
  const before = tiny.steps()
  losing(/\.snapshots\.source_prices\.parquet$/, Infinity)
  const night = await tiny.run("nightly", gameId)
  tiny.store.state.before = () => false
  assert.strictEqual(night.code, 1)
  assert.match(night.stderr, /source_prices\.parquet failed: the store confirmed the write twice and does not have/)
  assert.deepStrictEqual(tiny.steps(), before)
  assert.deepStrictEqual(said(await tiny.run("nightly", gameId, "--json")), [`${gameId} published`])
})

it("a night with news lists its game once more, and one without news lists nothing more", async () => {
  const listsOf = async () => {
    tiny.store.state.requests.length = 0
    const night = await tiny.run("nightly", gameId, "--json")
    return { said: said(night), lists: lists() }
  }
  const without = await listsOf()
  await tiny.sandbox.deploy(gameId)
  const withNews = await listsOf()
  assert.deepStrictEqual([...without.said, ...withNews.said], [`${gameId} unchanged`, `${gameId} published`])
  assert.strictEqual(withNews.lists, without.lists + 1)
})

it("a pull goes on with the other games where one has lost an object, names it, and exits with 4", async () => {
  const key =
    [...tiny.store.objects.keys()].findLast(
      (one) => one.startsWith(`tiny/games/${gameId}/`) && one.includes(".snapshots.")
    ) ?? ""
  const stored = tiny.store.objects.get(key)
  tiny.store.objects.delete(key)
  const copy = join(tiny.work, "part")
  const pulled = await tiny.run("pull", "--to", copy, "--json")
  assert.strictEqual(pulled.code, 4, pulled.stderr)
  assert.include(pulled.stderr, `s3://lakes/${key} failed: it is missing`)
  const { games, lost } = JSON.parse(pulled.stdout) as {
    games: ReadonlyArray<string>
    lost: ReadonlyArray<{ game: string }>
  }
  assert.deepStrictEqual([games, lost.map(({ game }) => game)], [[other], [gameId]])
  if (stored !== undefined) tiny.store.objects.set(key, stored)
  assert.strictEqual((await tiny.run("pull", "--to", copy)).code, 0)
})
