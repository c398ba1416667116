import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { gameId } from "../lake/invented.ts"
import { cardlake, type Started, startCardlake } from "../../pipelines/cli.ts"
import { lakeSums } from "./lakeSums.ts"
import { address, type TinyBucket, tinyBucket } from "./tinyBucket.ts"

interface Pulled {
  readonly isNew: boolean
  readonly games: ReadonlyArray<string>
}

describe("a copy that is watched", () => {
  let tiny: TinyBucket
  let copy: string
  let watching: Started
  const fetched: Array<Pulled> = []
  beforeAll(async () => {
    tiny = await tinyBucket()
    copy = join(tiny.work, "watched")
    assert.strictEqual((await tiny.run("nightly")).code, 0)
    const env = tiny.store.env
    watching = startCardlake(["pull", "--home", address, "--to", copy, "--watch", "--every", "1s", "--json"], { env })
    watching.process.stdout?.on("data", (text: string) => {
      for (const line of text.split("\n")) if (line !== "") fetched.push(JSON.parse(line) as Pulled)
    })
    while (fetched.length === 0) await Promise.race([setTimeout(50), ended()])
  })
  afterAll(async () => {
    watching.process.kill("SIGKILL")
    await tiny.stop()
  })
  const ended = () =>
    watching.ended.then(({ code, stderr, stdout }) => assert.fail(`It ended with ${code}: ${stdout}${stderr}`))
  const pullHere = () => cardlake(["pull", "--home", address, "--to", copy], { env: tiny.store.env })

  /** Publishes a night, and waits until the copy has it. */
  const publishedAndFetched = async () => {
    const before = fetched.length
    await tiny.sandbox.deploy(gameId)
    const night = await tiny.run("nightly", "--json")
    assert.include(night.stdout, '"verdict":"published"')
    const start = performance.now()
    while (fetched.length === before) await Promise.race([setTimeout(50), ended()])
    return performance.now() - start
  }

  it("has a night soon after it was published, and says so once", async () => {
    const millis = await publishedAndFetched()
    const start = performance.now()
    assert.deepStrictEqual(await lakeSums(copy), await tiny.pulled())
    // By default it looks only every 30 seconds; a slow machine needs its time.
    assert.isBelow(millis, 20_000 + 2 * (performance.now() - start))
    await setTimeout(2500)
    assert.deepStrictEqual(
      fetched.map(({ games, isNew }) => [games, isNew]),
      [
        [[gameId], true],
        [[gameId], true]
      ]
    )
  })

  it("has one writer at a time: a second pull says who is at it, and succeeds between two looks", async () => {
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    tiny.store.state.before = async () => {
      reached.resolve()
      await released.promise
      return false
    }
    await reached.promise
    const refused = await pullHere()
    tiny.store.state.before = () => false
    released.resolve()
    assert.strictEqual(refused.code, 1, refused.stdout)
    assert.match(refused.stderr, /is locked by another pull, process \d+ on .* Wait for it to finish/)
    let again = refused
    for (let tries = 0; tries < 20 && again.code !== 0; tries++) again = await pullHere()
    assert.strictEqual(again.code, 0, again.stderr)
    assert.match(again.stdout, /is up to date with s3:\/\/lakes\/tiny/)
  })

  it("goes on when the store is away for a moment", async () => {
    tiny.store.state.before = (request) => {
      request.socket.destroy()
      return true
    }
    await watching.shows("failed: ")
    tiny.store.state.before = () => false
    await publishedAndFetched()
    assert.deepInclude(fetched.at(-1), { isNew: true, games: [gameId] })
  })

  it("ends when it is told to, like every command that is stopped, and leaves a copy that can be refreshed", async () => {
    watching.process.kill("SIGTERM")
    const { code, stderr } = await watching.ended
    assert.strictEqual(code, 130, stderr)
    const after = await pullHere()
    assert.strictEqual(after.code, 0, after.stderr)
    assert.match(after.stdout, /is up to date with/)
  })
})
