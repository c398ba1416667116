import { assert, it, describe } from "@effect/vitest"
import { repricedGame, gameId } from "../lake/invented.ts"
import { bucketHere, said, tinyBucket } from "./tinyBucket.ts"
import { isFull } from "../../tried.ts"

describe("a night in parts without its lake", async () => {
  const game = "cedar"
  const tiny = await bucketHere({ [game]: repricedGame(game, { days: 6 }) })

  const planned = async () => (await tiny.run("plan", "--id")).stdout.trim()
  const part = (night: string, ...more: ReadonlyArray<string>) => tiny.run("nightly", game, "--part-of", night, ...more)
  const nightInParts = async () => {
    const night = await planned()
    assert.strictEqual((await part(night)).code, 0)
    const { code, stdout } = await tiny.run("publish", night)
    return { code, night, published: stdout }
  }
  const runs = async () =>
    (JSON.parse((await tiny.run("runs", "--json")).stdout) as ReadonlyArray<{ run: string; verdict: string }>).map(
      ({ run, verdict }) => `${run} ${verdict}`
    )

  it("where the newest commit of the lake was lost, the night in parts is published again, and the next one is later", async () => {
    const first = await nightInParts()
    await tiny.sandbox.deploy(game)
    const second = await nightInParts()
    assert.deepStrictEqual([first.night.slice(10), second.night.slice(10)], ["-1", "-2"])
    const before = await runs()
    const [newest = ""] = [...tiny.store.objects.keys()]
      .filter((key) => key.includes("/lake/commits/"))
      .toSorted()
      .slice(-1)
    assert.isTrue(tiny.store.objects.delete(newest))
    const again = await tiny.run("publish", second.night)
    assert.strictEqual(again.code, 0)
    assert.match(again.stdout, /^cedar +published/m)
    await tiny.sandbox.deploy(game)
    const third = await nightInParts()
    assert.deepStrictEqual([third.night.slice(10), third.code], ["-3", 0])
    assert.match(third.published, /^cedar +published/m)
    assert.includeMembers(await runs(), before)
    // Whoever comes late with a part of the night before leaves the game alone.
    const late = JSON.parse((await part(second.night, "--json")).stdout) as object
    assert.deepInclude(late, { done: "later", run: null, verdict: "unchanged" })
    const told = await tiny.run("publish", second.night, "--json")
    assert.deepStrictEqual([told.code, said(told)], [0, ["cedar later"]])
  })

  it.runIf(isFull)(
    "where all commits of the lake are lost, a night in parts has a later number than all before it",
    async () => {
      const before = (await planned()).slice(10)
      for (const key of tiny.store.objects.keys()) if (key.includes("/lake/commits/")) tiny.store.objects.delete(key)
      await tiny.sandbox.deploy(game)
      const { code, night, published } = await nightInParts()
      assert.isAtLeast(Number(night.slice(11)), Number(before.slice(1)))
      assert.strictEqual(code, 0)
      assert.match(published, /^cedar +published/m)
    }
  )

  it("a night of more than a week before the last one is not known, and a late one of the week is", async () => {
    const last = Date.parse((await planned()).slice(0, 10))
    const daysBefore = (days: number) => `${new Date(last - days * 86_400_000).toISOString().slice(0, 10)}-1`
    for (const unknown of ["2020-01-01-1", daysBefore(8)]) {
      const read = await part(unknown)
      assert.strictEqual(read.code, 2, read.stdout)
      assert.match(read.stderr, /^cardlake: Night \S+-1 is not planned within a week before the last one, \S+-\d\. /)
      const told = await tiny.run("publish", unknown)
      assert.strictEqual(told.code, 2, told.stdout)
      assert.match(told.stderr, /^cardlake: No game was read for the night /)
    }
    for (const command of [["nightly", "cedar", "--part-of"], ["publish"]])
      assert.strictEqual((await tiny.run(...command, daysBefore(7))).code, 0)
  })
})

describe.runIf(isFull)("the plan of a night", () => {
  it("weighs a game that was rolled back as the last night that read it, and has it first still", async () => {
    const tiny = await tinyBucket({
      birch: repricedGame("birch", { cards: 200 }),
      maple: repricedGame("maple", { cards: 600 })
    })
    const planned = async () =>
      (JSON.parse((await tiny.run("plan", "--json")).stdout) as { games: ReadonlyArray<{ gameId: string }> }).games
    const nightAndBack = async (...commands: ReadonlyArray<ReadonlyArray<string>>) => {
      for (const args of [...commands, ["rollback", "maple", "--yes"]]) {
        const { code, stderr } = await tiny.run(...args)
        assert.strictEqual(code, 0, stderr)
      }
    }
    assert.strictEqual((await tiny.run("nightly")).code, 0)
    await tiny.sandbox.deploy("maple")
    assert.strictEqual((await tiny.run("nightly")).code, 0)
    const before = await planned()
    await nightAndBack()
    assert.deepStrictEqual(await planned(), before)
    const id = (await tiny.run("plan", "--id")).stdout.trim()
    const parts = ["birch", "maple"].map((game) => ["nightly", game, "--part-of", id])
    await nightAndBack(...parts, ["publish", id])
    assert.deepStrictEqual(
      (await planned()).map(({ gameId }) => gameId),
      ["maple", "birch"]
    )
    await tiny.stop()
  })
})

describe("a store whose clock was wrong", async () => {
  const tiny = await bucketHere()

  it("nights in parts go on from the store's day after its clock was ahead once, and say so", async () => {
    const planned = async () => {
      const { stderr, stdout } = await tiny.run("plan", "--json")
      return { stderr, ...(JSON.parse(stdout) as { readonly night: string }) }
    }
    const read = async (night: string) => {
      const { stdout } = await tiny.run("nightly", gameId, "--part-of", night, "--json")
      return (JSON.parse(stdout) as { readonly done: string }).done
    }
    tiny.store.state.clock = 70 * 365 * 24 * 3600 * 1000
    const ahead = await planned()
    assert.strictEqual(await read(ahead.night), "now")
    assert.strictEqual((await tiny.run("publish", ahead.night)).code, 0)
    tiny.store.state.clock = 0
    const now = await planned()
    assert.include(now.stderr, `was ${ahead.night}, which is ahead of the store's clock`)
    assert.strictEqual(now.night.slice(0, 10), new Date().toISOString().slice(0, 10))
    assert.strictEqual(await read(now.night), "now")
    assert.strictEqual((await tiny.run("publish", now.night)).code, 0)
  })
})
