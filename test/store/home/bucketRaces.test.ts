import { assert, describe, it } from "@effect/vitest"
import { createHash, hash } from "node:crypto"
import { globSync, readFileSync } from "node:fs"
import type { IncomingMessage } from "node:http"
import { basename, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { isFull } from "../../tried.ts"
import { gameId } from "../lake/invented.ts"
import { bucketHere, documentsOf, said } from "./tinyBucket.ts"

const isWriteOf =
  (name: RegExp) =>
  ({ method, url = "" }: IncomingMessage): boolean =>
    method === "PUT" && name.test(decodeURIComponent(url.split("?")[0] ?? ""))
const gameSwap = isWriteOf(/\/games\/[^/]+\/commits\/\d/)

describe("two runners of a home in a bucket", async () => {
  const tiny = await bucketHere()
  assert.strictEqual((await tiny.run("nightly")).code, 0)
  await tiny.inFolder("nightly")
  await tiny.sandbox.deploy(gameId)
  await tiny.inFolder("nightly")
  const reference = await tiny.folderSums()
  const tables = globSync(join(tiny.work, "folder/snapshots/*/*/p*.parquet")).map(
    (file) => `${basename(file)} ${hash("sha256", readFileSync(file))}`
  )
  const before = new Map(tiny.store.objects)

  /** The bucket after the first night, when the second one can begin. */
  const asBefore = () => {
    tiny.store.state.before = () => false
    tiny.store.state.requests.length = 0
    tiny.store.objects.clear()
    for (const [key, object] of before) tiny.store.objects.set(key, object)
  }

  /** Asserts that the bucket publishes both nights' tables, as the folder has them, each once. */
  const hasBoth = async (where = "") => {
    assert.lengthOf(tiny.steps(), 2, where)
    const files = await documentsOf(tiny).read({ of: "published" })
    const found = [files].flat().flatMap((file) => /^snapshots\/.*\/(p\w+\.parquet \w+)$/.exec(file)?.[1] ?? [])
    assert.sameMembers(found, [...tables], where)
  }

  /** A runner whose request waits in front of the store until another one has ended. */
  const overtaken = async (waits: (request: IncomingMessage) => boolean, other: () => Promise<unknown>) => {
    const reached = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    let held = false
    tiny.store.state.before = async (request) => {
      if (held || !waits(request)) return false
      held = true
      reached.resolve()
      await ended.promise
      return false
    }
    const slow = tiny.beside("nightly", "--json")
    await Promise.race([reached.promise, slow])
    await other()
    ended.resolve()
    return await slow
  }

  it("that find the same night publish it once: the slower one says unchanged", async () => {
    asBefore()
    const slow = await overtaken(gameSwap, async () => {
      const fast = await tiny.run("nightly", "--json")
      assert.deepStrictEqual(said(fast), [`${gameId} published`])
    })
    assert.strictEqual(slow.code, 0, slow.stderr)
    assert.deepStrictEqual(said(slow), [`${gameId} unchanged`])
    await hasBoth()
  })

  it("publish once where answers are lost, late, refused for a while, or cut", { timeout: 300_000 }, async () => {
    asBefore()
    const lost = new Set<string>()
    let asked = 0
    tiny.store.state.before = async (request, response, body) => {
      asked++
      const url = String(request.url)
      if (request.method === "PUT" && /\/commits\//.test(url) && !lost.has(url)) {
        lost.add(url)
        tiny.store.answer(request, { ...response, writeHead: () => ({ end: () => {} }) } as never, body)
        request.socket.destroy()
        return true
      }
      if (asked % 7 === 0) {
        response.writeHead(503).end()
        return true
      }
      if (asked % 11 === 0) await setTimeout(50)
      const there = tiny.store.objects.get(decodeURIComponent(url.split("?")[0] ?? "").slice("/lakes/".length))
      if (request.method === "GET" && asked % 5 === 0 && there !== undefined && there.body.length > 20) {
        response.writeHead(200, { etag: there.tag, "content-length": there.body.length })
        response.write(there.body.subarray(0, 10), () => request.socket.destroy())
        return true
      }
      return false
    }
    const night = await tiny.run("nightly", "--json")
    assert.strictEqual(night.code, 0, night.stderr)
    assert.deepStrictEqual(said(night), [`${gameId} published`])
    assert.lengthOf([...lost], 2, [...lost].join())
    tiny.store.state.before = () => false
    assert.lengthOf(tiny.steps(), 2)
    assert.deepStrictEqual(await tiny.pulled(), reference)
  })

  it.runIf(isFull)(
    "that find different nights publish both in turn: the slower one reads again, and nothing goes back",
    async () => {
      asBefore()
      const slow = await overtaken(gameSwap, async () => {
        await tiny.sandbox.deploy(gameId)
        assert.deepStrictEqual(said(await tiny.run("nightly", "--json")), [`${gameId} published`])
      })
      assert.strictEqual(slow.code, 0, slow.stderr)
      assert.deepStrictEqual(said(slow), [`${gameId} unchanged`])
      assert.include(slow.stderr, "Another runner changed")
      assert.lengthOf(tiny.steps(), 2)
      const late = await tiny.run("nightly", "--json")
      assert.deepStrictEqual(said(late), [`${gameId} unchanged`])
    }
  )

  it("share what was read: after one has died, the next one goes on with its pages", async () => {
    asBefore()
    await tiny.sandbox.deploy(gameId)
    const killed = tiny.start("nightly")
    const kept = Promise.withResolvers<void>()
    // It waits for the changelog after it has read all pages, so that it keeps them.
    tiny.store.state.before = (request) => {
      if (isWriteOf(/\.raw\.kept\.pack/)(request)) setTimeout(50, undefined).then(() => kept.resolve(), kept.reject)
      return request.method === "GET" && /\.snapshots\.deployments\.parquet/.test(String(request.url))
    }
    await kept.promise
    killed.process.kill("SIGKILL")
    await killed.ended
    tiny.store.state.before = () => false
    const next = await tiny.run("nightly", "--json")
    assert.deepStrictEqual(said(next), [`${gameId} published`])
    const raw = [...tiny.store.objects].filter(([key]) => key.endsWith(".raw.extraction.json"))
    const extractions = raw.map(([, { body }]) => JSON.parse(body.toString("utf8")) as { resumedPages?: number })
    const resumed = Math.max(...extractions.map(({ resumedPages = 0 }) => resumedPages))
    assert.isAbove(resumed, 0)
    // The next plan weighs what both of them asked for.
    const [read] = (JSON.parse(next.stdout) as { games: ReadonlyArray<{ requests: number }> }).games
    const { games } = JSON.parse((await tiny.run("plan", "--json")).stdout) as {
      games: ReadonlyArray<{ weight: { requests: number } }>
    }
    assert.strictEqual(games[0]?.weight.requests, (read?.requests ?? 0) + resumed)
  })

  it("never write an object again: each is called by its sum or by its attempt, and only budgets are swapped", () => {
    for (const [key, { body }] of tiny.store.objects) {
      if (/\/(commits|keys|probes)\/|\/\d+\.\w+\.pack$/.test(key)) continue
      assert.include(key, createHash("sha256").update(body).digest("hex"))
      assert.match(key, /\/objects\//)
    }
  })

  it("a commit that a first publisher is about to write is not one that is missing", async () => {
    tiny.store.objects.clear()
    const swap = { waits: Promise.withResolvers<void>(), goesOn: Promise.withResolvers<void>() }
    let isSecond = false
    tiny.store.state.before = async (request) => {
      if (isSecond && request.url?.includes("/tiny/games/") === true) swap.goesOn.resolve()
      if (!isWriteOf(/\/tiny\/lake\/commits\//)(request)) return false
      swap.waits.resolve()
      await swap.goesOn.promise
      return false
    }
    const first = tiny.beside("nightly", "--json")
    await swap.waits.promise
    const runs = await tiny.run("runs")
    assert.deepStrictEqual([runs.code, runs.stderr], [0, ""])
    isSecond = true
    const second = await tiny.run("nightly", "--json")
    const ended = [await first, second]
    tiny.store.state.before = () => false
    for (const { code, stderr } of ended) {
      assert.strictEqual(code, 0, stderr)
      assert.notInclude(stderr, "is missing")
    }
    assert.sameMembers(ended.flatMap(said), [`${gameId} published`, `${gameId} unchanged`])
  })
})
