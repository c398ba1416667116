import { afterAll, assert, beforeAll, it, describe } from "@effect/vitest"
import { repricedGame, gameId } from "../lake/invented.ts"
import { said, type TinyBucket, tinyBucket } from "./tinyBucket.ts"
import { setTimeout } from "node:timers/promises"
import { isFull } from "../../tried.ts"

describe("a night in parts without its lake", () => {
  const games = ["cedar", "maple"]

  let tiny: TinyBucket
  beforeAll(async () => {
    tiny = await tinyBucket(Object.fromEntries(games.map((gameId) => [gameId, repricedGame(gameId, { days: 6 })])))
  })
  afterAll(() => tiny.stop())

  const planned = async () => (await tiny.run("plan", "--id")).stdout.trim()
  const part = (gameId: string, night: string, ...more: ReadonlyArray<string>) =>
    tiny.run("nightly", gameId, "--part-of", night, ...more)
  const nightInParts = async () => {
    const night = await planned()
    for (const gameId of games) assert.strictEqual((await part(gameId, night)).code, 0)
    const { code, stdout } = await tiny.run("publish", night)
    return { code, night, published: stdout }
  }
  const runs = async () =>
    (JSON.parse((await tiny.run("runs", "--json")).stdout) as ReadonlyArray<{ run: string; verdict: string }>).map(
      ({ run, verdict }) => `${run} ${verdict}`
    )

  it("where the newest commit of the lake was lost, the night in parts is published again, and the next one is later", async () => {
    const first = await nightInParts()
    for (const gameId of games) await tiny.sandbox.deploy(gameId)
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
    for (const gameId of games) assert.match(again.stdout, new RegExp(`^${gameId} +published`, "m"))
    for (const gameId of games) await tiny.sandbox.deploy(gameId)
    const third = await nightInParts()
    assert.deepStrictEqual([third.night.slice(10), third.code], ["-3", 0])
    for (const gameId of games) assert.match(third.published, new RegExp(`^${gameId} +published`, "m"))
    assert.includeMembers(await runs(), before)
    // Whoever comes late with a part of the night before leaves the game alone.
    const late = JSON.parse((await part("maple", second.night, "--json")).stdout) as object
    assert.deepInclude(late, { done: "later", run: null, verdict: "unchanged" })
    const told = await tiny.run("publish", second.night, "--json")
    assert.deepStrictEqual([told.code, said(told)], [0, ["cedar later", "maple later"]])
  })

  it.runIf(isFull)(
    "where all commits of the lake are lost, a night in parts has a later number than all before it",
    async () => {
      const before = (await planned()).slice(10)
      for (const key of tiny.store.objects.keys()) if (key.includes("/lake/commits/")) tiny.store.objects.delete(key)
      for (const gameId of games) await tiny.sandbox.deploy(gameId)
      const { code, night, published } = await nightInParts()
      assert.isAtLeast(Number(night.slice(11)), Number(before.slice(1)))
      assert.strictEqual(code, 0)
      for (const gameId of games) assert.match(published, new RegExp(`^${gameId} +published`, "m"))
    }
  )

  it("a run of one game leaves the report of another game's run as it is", async () => {
    await tiny.run("nightly")
    for (const gameId of games) await tiny.sandbox.deploy(gameId)
    for (const gameId of games) assert.strictEqual((await tiny.run("nightly", gameId)).code, 0)
    for (const run of (await runs()).slice(0, 2)) assert.match(run, / published$/)
  })

  it("a part of a night that nobody has planned ends with 2, and reads nothing", async () => {
    const today = (await planned()).slice(0, 10)
    const { code, stderr } = await part("cedar", `${today}-9`)
    assert.strictEqual(code, 2)
    assert.match(stderr, /^cardlake: Night \S+-9 is not planned; the last one is \S+-\d\. Plan one with: cardlake plan/)
  })

  it("a night of more than a week before the last one is not known, and a late one of the week is", async () => {
    const last = Date.parse((await planned()).slice(0, 10))
    const daysBefore = (days: number) => `${new Date(last - days * 86_400_000).toISOString().slice(0, 10)}-1`
    for (const unknown of ["2020-01-01-1", daysBefore(8)]) {
      const read = await part("cedar", unknown)
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

describe("the plan of a night", async () => {
  interface Planned {
    readonly requests: number
    readonly games: ReadonlyArray<{ readonly gameId: string; readonly weight: { readonly requests: number } | null }>
  }
  interface Report {
    readonly games: ReadonlyArray<{
      readonly gameId: string
      readonly requests: number
      readonly resumedPages?: number
    }>
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
      if (method === "PUT" && url.includes(".raw.kept.pack"))
        setTimeout(50, undefined).then(() => kept.resolve(), kept.reject)
      return method === "GET" && url.includes(".snapshots.source")
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

  it.runIf(isFull)(
    "a game that was rolled back weighs what the last night that read it needed, and is still the first",
    async () => {
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
    }
  )
})

describe("a store whose clock was wrong", () => {
  it("nights in parts go on from the store's day after its clock was ahead once, and say so", async () => {
    const tiny = await tinyBucket()
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
    await tiny.stop()
  })
})
