import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { catalogueFolder, type Deployed, card, expansion } from "../lake/invented.ts"
import { settings, startSandbox } from "../../pipelines/cli.ts"
import { seededNumbers } from "../../soak/soakPlan.ts"
import { startConditionalStore } from "./conditionalStore.ts"
import { lakeSums, startRunner } from "./tinyBucket.ts"

const games = ["amber", "basalt", "cobalt"]
const address = "s3://lakes/soak"
const runners = 5
const day = 24 * 3600 * 1000

/** A game of so many products whose prices move, and some of which come and go. */
const deploymentsOf = (gameId: string, count: number, products: number): ReadonlyArray<Deployed> =>
  Array.from({ length: count }, (_, at) => ({
    expansions: [expansion(1, { gameId })],
    products: Array.from({ length: products }, (_, index) =>
      card(index + 1 + (at % 2), {
        gameId,
        game: { id: gameId, name: `Game ${gameId}` },
        pricesByFinish: {
          Standard: { sourceEur: { currency: "EUR", low: 1 + ((at * 7 + index * gameId.length) % 23) } }
        }
      })
    )
  }))

/**
 * Random nights of three games by runners that race each other before a store that loses answers, is late, refuses and
 * breaks off; then the same night in a folder. After each, a copy of the bucket has the folder's rows.
 */
const soakBucket = async (work: string, nights: number, products: number, seed: number) => {
  const next = seededNumbers(seed)
  const scope = Scope.makeUnsafe()
  const catalogue = await Effect.runPromise(
    Scope.provide(
      catalogueFolder(
        Object.fromEntries(games.map((game) => [game, deploymentsOf(game, nights + 2, products)])),
        "2016-01-01"
      ),
      scope
    )
  )
  const sandbox = await startSandbox({ catalogue })
  const store = await startConditionalStore()
  const all = Array.from({ length: runners }, () => startRunner(store.env))
  const inBucket = (runner: number, ...args: ReadonlyArray<string>) =>
    (all[runner] ?? all[0])!.run(args, settings(sandbox.url, address), work)
  const inFolder = (...args: ReadonlyArray<string>) =>
    all[0]!.run(args, settings(sandbox.url, join(work, "folder")), work)
  const faults = { lost: 0, refused: 0, late: 0, cut: 0, pruned: 0 }

  const disturb = (): typeof store.state.before => async (request, response, body) => {
    const chance = next()
    const url = decodeURIComponent(String(request.url).split("?")[0] ?? "")
    if (url.includes("/probes/")) return false
    if (chance < 0.06 && (request.headers["if-match"] ?? request.headers["if-none-match"]) !== undefined) {
      faults.lost++
      store.answer(request, Object.assign(Object.create(response), { writeHead: () => ({ end: () => {} }) }), body)
      request.socket.destroy()
      return true
    }
    if (chance < 0.1) {
      faults.refused++
      response.writeHead(503).end()
      return true
    }
    if (chance < 0.14) {
      faults.late++
      await setTimeout(next() * 80)
    }
    const there = store.objects.get(url.slice("/lakes/".length))
    if (chance > 0.96 && request.method === "GET" && there !== undefined && there.body.length > 20) {
      faults.cut++
      response.writeHead(200, { etag: there.tag, "content-length": there.body.length })
      response.write(there.body.subarray(0, there.body.length >> 1), () => request.socket.destroy())
      return true
    }
    return false
  }

  try {
    for (let night = 1; night <= nights; night++) {
      for (const game of games) if (next() < 0.5) await sandbox.deploy(game)
      const chosen = [...all.keys()].filter(() => next() < 0.5)
      const commands = chosen.map((runner) => {
        const pick = next()
        const one = games[Math.floor(next() * games.length)] ?? "amber"
        const args = pick < 0.6 ? ["nightly"] : pick < 0.9 ? ["nightly", one] : ["prune", "--keep-last", "3", "--yes"]
        return [runner, args] as const
      })
      store.state.before = disturb()
      const ended = await Promise.all(commands.map(([runner, args]) => inBucket(runner, ...args)))
      store.state.before = () => false
      const where = `seed ${seed}, night ${night}`
      for (const { code, stderr } of ended) assert.include([0, 1, 4, 75], code, `${where}: ${stderr}`)
      faults.pruned += commands.filter(([, [name]]) => name === "prune").length
      const last = await inBucket(Math.floor(next() * runners), "nightly", "--json")
      assert.strictEqual(last.code, 0, `${where}: ${last.stderr}${last.stdout}`)
      const there = await inFolder("nightly")
      assert.strictEqual(there.code, 0, `${where}: ${there.stderr}`)
      // A prune that raced publishers: now that all is quiet, both homes keep the same nights.
      if (commands.some(([, [name]]) => name === "prune")) {
        assert.strictEqual((await inBucket(1, "prune", "--keep-last", "3", "--yes")).code, 0, where)
        await inFolder("prune", "--keep-last", "3", "--yes")
      }
      const pulled = await all[2]!.run(["pull", "--home", address, "--to", join(work, "copy")], {}, work)
      assert.strictEqual(pulled.code, 0, `${where}: ${pulled.stderr}`)
      const [copy, folder] = [await lakeSums(join(work, "copy")), await lakeSums(join(work, "folder"))]
      // How often a game was read differs: several runners read it in the bucket.
      assert.deepStrictEqual({ ...copy, readings: "" }, { ...folder, readings: "" }, where)
      store.state.clock += day
      console.log(`${where}: ${chosen.length} runners, ${store.objects.size} objects, ${JSON.stringify(faults)}`)
    }
    return faults
  } finally {
    for (const runner of all) runner.stop()
    await sandbox.stop()
    await store.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

describe("many nights of a home in a bucket", () => {
  const work = mkdtempSync(join(tmpdir(), "cardlake-soak-bucket-"))
  afterAll(() => rmSync(work, { recursive: true, force: true }))

  it("are those of a folder, whoever reads them and whatever the store does", { timeout: 3_600_000 }, async () => {
    const faults = await soakBucket(work, 200, 200, 20_261_123)
    assert.isAbove(Math.min(faults.lost, faults.refused, faults.late, faults.cut, faults.pruned), 0)
  })
})
