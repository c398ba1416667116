import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { Effect } from "effect"
import { repricedGame } from "../lake/invented.ts"
import { cardlake, settings, startCardlake } from "../../pipelines/cli.ts"
import { startLimitedService, budgetWorkers } from "./budgetWorkers.ts"
import { useStore } from "./conditionalStore.ts"
import { hasVersitygw, startVersitygw } from "./startVersitygw.ts"
import { lakeSums, type TinyBucket, tinyBucket } from "./tinyBucket.ts"

const races = 1000

const names = ["birch", "cedar", "maple"]

describe.skipIf(!hasVersitygw)("versitygw", () => {
  let folder: string
  let env: Record<string, string>
  let stop: () => Promise<void>
  beforeAll(async () => {
    ;({ env, folder, stop } = await startVersitygw())
  })
  afterAll(() => stop())

  it(`lets one of four writers win, ${races} times`, { timeout: 600_000 }, async () => {
    const winners = await useStore(env, "s3://lakes/races", (store) =>
      Effect.gen(function* () {
        const counts = new Map<number, number>()
        for (let race = 0; race < races; race++) {
          const there = yield* store.read("document")
          const swaps = [0, 1, 2, 3].map((writer) => store.swap("document", `${race} ${writer}`, there?.tag ?? null))
          const won = (yield* Effect.all(swaps, { concurrency: 4 })).filter((is) => is).length
          counts.set(won, (counts.get(won) ?? 0) + 1)
        }
        return [...counts]
      })
    )
    assert.deepStrictEqual(winners, [[1, races]])
  })

  it("keeps the budget of a key, also for workers whose clocks are off", { timeout: 600_000 }, async () => {
    const minute = 6000
    const hour = 3_600_000
    const key = "cl_test_5d0c1b7e92af4836"
    const service = await startLimitedService(300, minute)
    const workers = budgetWorkers(env, minute)
    await Promise.all([0, hour, -hour].map((off) => workers.begin("budget", { key, off, url: service.url })))
    await setTimeout(3 * minute)
    const said = await workers.stop()
    const { most, refused, requests } = service.countsOf(key)
    await service.stop()
    assert.strictEqual(refused, 0)
    assert.isAtMost(most, 300)
    assert.isAbove(requests, 300)
    for (const one of said) assert.include(one, '"failed":""')
  })

  it(
    "shares nights in parts: three games by three processes, one killed, one stopped, two publishing; and keeps them as a folder does",
    { timeout: 600_000 },
    async () => {
      const tiny: TinyBucket = await tinyBucket(
        Object.fromEntries(names.map((name) => [name, repricedGame(name, { cards: 200 })]))
      )
      const where = { env: { ...settings(tiny.sandbox.url, "s3://lakes/parts"), ...env } }
      const inBucket = (...args: ReadonlyArray<string>) => cardlake(args, where)
      for (let night = 0; night < 3; night++) {
        const id = (await inBucket("plan", "--id")).stdout.trim()
        const runners = names.map((name) => startCardlake(["nightly", name, "--part-of", id, "--json"], where))
        await setTimeout(700 + 400 * night)
        runners[0]?.process.kill("SIGKILL")
        runners[1]?.process.kill("SIGSTOP")
        const again = await Promise.all(
          [0, 1].map((one) => startCardlake(["nightly", names[one] ?? "", "--part-of", id, "--json"], where).ended)
        )
        assert.deepStrictEqual(
          again.map(({ code }) => code),
          [0, 0],
          again.map(({ stderr }) => stderr).join()
        )
        await runners[2]?.ended
        const both = await Promise.all(
          [1, 2].map(() => startCardlake(["publish", id, "--json", "--wait", "2m"], where).ended)
        )
        assert.deepStrictEqual(
          both.map(({ code }) => code),
          [0, 0],
          both.map(({ stderr }) => stderr).join()
        )
        const isNew = both.flatMap(({ stdout }) =>
          (JSON.parse(stdout) as { games: ReadonlyArray<{ gameId: string; isNew: boolean }> }).games.filter(
            (game) => game.isNew
          )
        )
        assert.deepStrictEqual(isNew.map((game) => game.gameId).toSorted(), names.toSorted())
        runners[1]?.process.kill("SIGCONT")
        const woken = await runners[1]?.ended
        assert.strictEqual(woken?.code, 0, woken?.stderr)
        assert.strictEqual((await inBucket("publish", id, "--unchanged-code", "99")).code, 99)
        await tiny.inFolder("nightly")
        for (const name of names) await tiny.sandbox.deploy(name)
      }
      assert.strictEqual((await inBucket("prune", "--keep-last", "2", "--yes")).code, 0)
      await tiny.inFolder("prune", "--keep-last", "2", "--yes")
      const copy = join(folder, "copy of parts")
      assert.strictEqual((await cardlake(["pull", "--home", "s3://lakes/parts", "--to", copy], { env })).code, 0)
      assert.deepStrictEqual(await lakeSums(copy), await tiny.folderSums())
      await tiny.stop()
    }
  )
})
