import { afterAll, assert, it } from "@effect/vitest"
import { cardlake } from "../../pipelines/cli.ts"
import { repricedGame } from "../lake/invented.ts"
import { tried } from "../../tried.ts"
import { address, said, tinyBucket } from "./tinyBucket.ts"

const patience = 3000
const games = ["agate", "beryl"]

let diesAt = 0
/** From the first such request on, nobody is answered. */
const dying = (isNow: (request: string) => boolean, forMillis = Infinity) => {
  diesAt = Infinity
  tiny.store.state.before = ({ method, socket, url }) => {
    if (diesAt === Infinity && isNow(`${method} ${url}`)) diesAt = performance.now()
    if (performance.now() < diesAt || performance.now() > diesAt + forMillis) return false
    socket.destroy()
    return true
  }
}
/** The list of games was asked for by then. */
const isLease = (number: number) => (request: string) => request.startsWith("PUT /lakes/tiny/keys/") && --number === 0
const night = (...more: ReadonlyArray<string>) =>
  cardlake(["nightly", ...more], { env: tiny.env(address), hasShortWaits: true, storePatienceMillis: patience })

const tiny = await tinyBucket(Object.fromEntries(games.map((gameId) => [gameId, repricedGame(gameId, { days: 1 })])))
afterAll(tiny.stop)

const lines = (stderr: string) =>
  stderr
    .split("\n")
    .map((line) => line.replace(/^\S+Z (?=cardlake:)/, ""))
    .filter((line) => line.startsWith("cardlake:"))
const waiting = /^cardlake: The store of s3:\/\/lakes\/tiny does not answer\. Retrying for 3 s$/
const ended =
  /^cardlake: Wait for the store of s3:\/\/lakes\/tiny failed: it has not answered for 3 s \([\w ]+\)\. Published data is safe, .* run this again$/

it("a store that dies for good while games are read ends the night once, not once for each game", async () => {
  dying(isLease(2))
  const { code, stderr, stdout } = await night("--json")
  assert.isBelow(performance.now() - diesAt, 2.5 * patience)
  assert.strictEqual(code, 1, stderr)
  assert.deepStrictEqual(
    said({ stdout }),
    games.map((gameId) => `${gameId} failed`)
  )
  const [first = "", last = "", ...more] = lines(stderr)
  assert.match(first, waiting)
  assert.match(last, ended)
  assert.deepStrictEqual(more, [])
})

it("a store that dies for good while a night is put into it leaves a verdict: none of it is published", async () => {
  const writes = ["PUT /lakes/tiny/lake/", "PUT /lakes/tiny/games/"]
  for (const written of tried(writes, (_, index) => index === 1)) {
    dying((request) => request.startsWith(written))
    const { code, stderr, stdout } = await night()
    assert.isBelow(performance.now() - diesAt, 2.5 * patience)
    assert.strictEqual(code, 1, stderr)
    for (const gameId of games) assert.match(stdout, new RegExp(`^${gameId} +failed`, "m"))
    const [first = "", last = "", ...more] = lines(stderr)
    assert.match(first, waiting)
    assert.match(last, ended)
    assert.deepStrictEqual(more, [])
  }
})

it("a store that is away for a while is waited for", async () => {
  // A lease, the report, a game's files, its document, the lake's.
  const requests = [
    /^PUT .*\/lake\/objects\//,
    /^PUT .*\/games\/beryl\//,
    /^PUT .*\/beryl\/commits\//,
    /^PUT .*\/lake\/commits\//
  ]
  const moments = [isLease(2), ...requests.map((each) => (request: string) => each.test(request))]
  for (const isNow of tried(moments, (_, index) => index === 0 || index === 4)) {
    tiny.store.objects.clear()
    dying(isNow, patience / 2)
    const { code, stderr, stdout } = await night("--json")
    assert.strictEqual(code, 0, stderr)
    assert.isBelow(diesAt, Infinity)
    assert.deepStrictEqual(
      said({ stdout }),
      games.map((gameId) => `${gameId} published`)
    )
  }
})
