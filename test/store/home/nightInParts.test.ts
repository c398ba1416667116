import { assert, describe, it } from "@effect/vitest"
import { repricedGame } from "../lake/invented.ts"
import type { Ended } from "../../pipelines/runHere.ts"
import { bucketHere } from "./tinyBucket.ts"

const names = ["birch", "cedar", "maple"]

interface Published {
  readonly verdict: string
  readonly games: ReadonlyArray<{
    readonly gameId: string
    readonly verdict: string
    readonly isNew: boolean
    readonly reason: string | null
  }>
}
interface Part {
  readonly night: string
  readonly done: string
  readonly verdict: string
  readonly run: string | null
  readonly isPublished: boolean
}

const published = ({ stdout }: Ended) => JSON.parse(stdout) as Published
const parts = (ended: Ended) =>
  published(ended).games.map(({ gameId, isNew, verdict }) => `${gameId} ${verdict}${isNew ? " new" : ""}`)
const part = ({ stdout }: Ended) => JSON.parse(stdout) as Part
const nameOf = ({ stdout }: Ended) => (JSON.parse(stdout) as { readonly night: string }).night
describe("a night in parts", async () => {
  const today = new Date().toISOString().slice(0, 10)
  const tiny = await bucketHere(
    Object.fromEntries(names.map((name) => [name, repricedGame(name, { without: name === "cedar" ? 2 : 0 })]))
  )
  const told = async () => JSON.parse((await tiny.run("runs", "--json")).stdout) as ReadonlyArray<Published>
  const lakeSwaps = () => tiny.store.state.requests.filter((request) => /^PUT .*\/lake\/commits\//.test(request)).length

  it("is planned once a day until it is published, with the games by their numbers", async () => {
    const first = await tiny.run("plan", "--json")
    assert.strictEqual(first.code, 0, first.stderr)
    const { games, night } = JSON.parse(first.stdout) as {
      night: string
      games: ReadonlyArray<{ index: number; gameId: string; head: { id: string } | null; weight: unknown }>
    }
    assert.strictEqual(night, `${today}-1`)
    assert.deepStrictEqual(
      games.map(({ gameId, index, weight }) => [index, gameId, weight]),
      names.map((name, index) => [index, name, null])
    )
    assert.match(games[0]?.head?.id ?? "", /^dep_/)
    assert.strictEqual(nameOf(await tiny.run("plan", "--json")), night)
    assert.strictEqual((await tiny.run("plan", "--id")).stdout, `${night}\n`)
  })

  it("shows nothing before it is published, says in words that a part is ready, and what is not", async () => {
    const night = `${today}-1`
    const read = await tiny.run("nightly", "birch", "--part-of", night, "--json")
    assert.strictEqual(read.code, 0, read.stderr)
    assert.deepInclude(part(read), { night, done: "now", verdict: "published", isPublished: false })
    assert.deepStrictEqual(tiny.steps(), [])
    assert.lengthOf(await told(), 0)
    const second = () => tiny.run("nightly", "--part-of", night, "--index", "1")
    const { code, stderr, stdout } = await second()
    assert.strictEqual(code, 0, stderr)
    assert.match(stdout, /^cedar +ready [^]*^1 game in .*: 1 ready \(run /m)
    assert.include(stderr, "cedar: ready\n")
    assert.notMatch(`${stdout}${stderr}`, /\bpublish(ed|ing)(?! with the others)/)
    assert.include(stdout, `cedar is done. Publish it with the others: cardlake publish ${night}`)
    const ready = (await second()).stdout
    assert.match(ready, /^1 game in .*: 1 ready /m)
    assert.include(ready, "another runner has done this. Publish it with the others: cardlake publish")
    const beyond = await tiny.run("nightly", "--part-of", night, "--index", "3", "--json")
    assert.deepInclude(part(beyond), { done: "nothing", run: null })
    const early = await tiny.run("publish", night, "--json")
    assert.strictEqual(early.code, 75, early.stderr)
    assert.lengthOf(await told(), 2)
    assert.deepStrictEqual(parts(early), ["birch published new", "cedar published new", "maple waiting"])
    assert.strictEqual((await tiny.run("plan", "--id")).stdout, `${night}\n`)
  })

  it("reads nothing again that a runner has done, and is published once", async () => {
    const night = `${today}-1`
    const before = tiny.store.state.requests.length
    const again = await tiny.run("nightly", "birch", "--part-of", night, "--json")
    assert.strictEqual(again.code, 0, again.stderr)
    assert.deepInclude(part(again), { done: "before", verdict: "published", isPublished: true })
    assert.isFalse(tiny.store.state.requests.slice(before).some((request) => request.startsWith("PUT")))
    const maple = await tiny.run("nightly", "maple", "--part-of", night)
    assert.strictEqual(maple.code, 0, maple.stderr + maple.stdout)
    const swaps = lakeSwaps()
    const done = await tiny.run("publish", night, "--json")
    assert.strictEqual(done.code, 0, done.stderr)
    assert.strictEqual(lakeSwaps() - swaps, 1)
    assert.deepStrictEqual(parts(done), ["birch published", "cedar published", "maple published new"])
    const later = (await tiny.run("nightly", "cedar", "--part-of", night)).stdout
    assert.match(later, /^cedar +published /m)
    assert.include(later, "Nothing was read: another runner has done this, and the night was published\n")
    assert.notInclude(later, "cardlake publish")
    const repeated = await tiny.run("publish", night, "--json", "--unchanged-code", "99")
    assert.strictEqual(repeated.code, 99)
    assert.strictEqual(published(repeated).verdict, "unchanged")
    assert.lengthOf(tiny.steps(), 3)
    assert.lengthOf(await told(), 3)
    assert.strictEqual((await tiny.run("plan", "--id")).stdout, `${today}-2\n`)
  })

  it("weighs games by their last reading, and tells apart what is unchanged, held and published", async () => {
    const night = `${today}-2`
    const planned = JSON.parse((await tiny.run("plan", "--json")).stdout) as {
      requests: number
      games: ReadonlyArray<{ weight: { requests: number; products: number } }>
    }
    assert.strictEqual(planned.games[0]?.weight.products, 3)
    assert.strictEqual(
      planned.requests,
      planned.games.reduce((sum, { weight }) => sum + weight.requests, 0)
    )
    await tiny.sandbox.deploy("birch")
    await tiny.sandbox.deploy("cedar")
    const read = (name: string, ...more: ReadonlyArray<string>) =>
      tiny.run("nightly", name, "--part-of", night, "--json", ...more)
    assert.strictEqual((await read("birch")).code, 0)
    const unchanged = await read("maple", "--unchanged-code", "99")
    assert.strictEqual(unchanged.code, 99, unchanged.stderr)
    assert.strictEqual(part(unchanged).verdict, "unchanged")
    const [held, again] = [await read("cedar"), await read("cedar")]
    assert.deepStrictEqual([held.code, again.code], [3, 3])
    assert.deepStrictEqual([part(held).done, part(again).done], ["now", "before"])
    const done = await tiny.run("publish", night, "--json")
    assert.strictEqual(done.code, 3, done.stderr)
    assert.deepStrictEqual(parts(done), ["birch published new", "cedar held new", "maple unchanged"])
    assert.match(published(done).games[1]?.reason ?? "", /^Source EUR prices 0\.0 % of the products/)
    const text = await tiny.run("publish", night)
    assert.match(text.stdout, /cedar held: [^]*\n.*nothing left to publish/)
    assert.strictEqual((await tiny.run("release", "cedar", "--yes", "--why", "looked at")).code, 0)
    const released = await tiny.run("publish", night, "--json")
    assert.deepStrictEqual([released.code, parts(released)[1]], [0, "cedar published"])
  })

  it("is tried again where another night changed the game meanwhile", async () => {
    const night = nameOf(await tiny.run("plan", "--json"))
    await tiny.sandbox.deploy("cedar")
    const [reached, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    tiny.store.state.before = async ({ method, url = "" }) => {
      if (method !== "PUT" || !decodeURIComponent(url).includes("/games/cedar/commits/0")) return false
      tiny.store.state.before = () => false
      reached.resolve()
      await ended.promise
      return false
    }
    const slow = tiny.beside("nightly", "cedar", "--part-of", night, "--log", "json")
    await Promise.race([reached.promise, slow])
    assert.strictEqual((await tiny.run("nightly", "cedar")).code, 0)
    ended.resolve()
    const overtaken = await slow
    assert.strictEqual(overtaken.code, 75, overtaken.stderr)
    const again = await tiny.run("nightly", "cedar", "--part-of", night, "--json")
    assert.strictEqual(part(again).verdict, "unchanged")
  })

  it("waits for parts when it is told to, and is published once by two at the same time", async () => {
    const night = nameOf(await tiny.run("plan", "--json"))
    await tiny.sandbox.deploy("birch")
    assert.strictEqual((await tiny.run("nightly", "birch", "--part-of", night)).code, 0)
    const swaps = lakeSwaps()
    const waiting = [1, 2].map(() => tiny.start("publish", night, "--json", "--wait", "2m"))
    await Promise.all(waiting.map(({ shows }) => shows("s at most for parts of")))
    const late = await tiny.run("nightly", "maple", "--part-of", night, "--json")
    assert.strictEqual(late.code, 0, late.stderr)
    const both = await Promise.all(waiting.map(({ ended }) => ended))
    assert.deepStrictEqual(
      both.map(({ code }) => code),
      [0, 0],
      both.map(({ stderr }) => stderr).join()
    )
    const news = both.flatMap(parts).filter((one) => one.endsWith(" new"))
    assert.deepStrictEqual(news, ["birch published new"])
    assert.isAtLeast(lakeSwaps() - swaps, 1)
  })

  it("was planned, is a night, and has a home in a bucket", async () => {
    for (const args of [
      ["nightly", "birch", "--part-of", "2199-01-01-1"],
      ["nightly", "birch", "--part-of", "tonight"],
      ["nightly", "--part-of", `${today}-2`],
      ["nightly", "birch", "cedar", "--part-of", `${today}-2`],
      ["nightly", "--part-of", `${today}-1`, "--index", "0"],
      ["nightly", "birch", "--part-of", `${today}-2`, "--export", "/tmp/drop"],
      ["publish", "2199-01-01-1"],
      ["publish"]
    ]) {
      const ended = await tiny.run(...args)
      assert.strictEqual(ended.code, 2, `${args.join(" ")}: ${ended.stdout}`)
    }
    const inFolder = await tiny.inFolder("plan")
    assert.strictEqual(inFolder.code, 2)
    assert.match(inFolder.stderr, /home in a bucket: --home s3:\/\/bucket\/prefix/)
  })
})
