import { afterAll, assert, it } from "@effect/vitest"
import { setTimeout } from "node:timers/promises"
import { repricedGame } from "../lake/invented.ts"
import { tinyBucket } from "./tinyBucket.ts"

interface Planned {
  readonly requests: number
  readonly games: ReadonlyArray<{ readonly gameId: string; readonly weight: { readonly requests: number } | null }>
}
interface Report {
  readonly games: ReadonlyArray<{ readonly gameId: string; readonly requests: number; readonly resumedPages?: number }>
}

const night = async (...games: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await tiny.run("nightly", ...games, "--json")
  assert.strictEqual(code, 0, stderr)
  return (JSON.parse(stdout) as Report).games
}
const planned = async () => JSON.parse((await tiny.run("plan", "--json")).stdout) as Planned

const tiny = await tinyBucket({
  birch: repricedGame("birch", { cards: 200 }),
  maple: repricedGame("maple", { cards: 600 })
})
afterAll(tiny.stop)
const first = await night()
for (const game of ["birch", "maple"]) await tiny.sandbox.deploy(game)

it("a reading that another runner had begun weighs what both of them asked for", async () => {
  const killed = tiny.start("nightly", "maple")
  const kept = Promise.withResolvers<void>()
  tiny.store.state.before = ({ method, url = "" }) => {
    if (method !== "PUT") return false
    if (/\.raw\.ledger\./.test(url)) setTimeout(50, undefined).then(() => kept.resolve(), kept.reject)
    return url.includes(".snapshots.")
  }
  await kept.promise
  killed.process.kill("SIGKILL")
  await killed.ended
  tiny.store.state.before = () => false
  const [resumed] = await night("maple")
  const pages = resumed?.resumedPages ?? 0
  assert.isAbove(pages, 0)
  const { games } = await planned()
  const weight = games.find(({ gameId }) => gameId === "maple")?.weight?.requests ?? 0
  assert.strictEqual(weight, (resumed?.requests ?? 0) + pages)
  assert.isAtLeast(weight, first.find(({ gameId }) => gameId === "maple")?.requests ?? Infinity)
})

it("a game that was rolled back weighs what the last night that read it needed, and is still the first", async () => {
  const before = await planned()
  const { code, stderr } = await tiny.run("rollback", "maple", "--yes")
  assert.strictEqual(code, 0, stderr)
  assert.deepStrictEqual(await planned(), before)
  const id = (await tiny.run("plan", "--id")).stdout.trim()
  for (const game of ["birch", "maple"]) await tiny.run("nightly", game, "--part-of", id)
  assert.strictEqual((await tiny.run("publish", id)).code, 0)
  assert.strictEqual((await tiny.run("rollback", "maple", "--yes")).code, 0)
  assert.deepStrictEqual(
    (await planned()).games.map(({ gameId }) => gameId),
    ["maple", "birch"]
  )
})
