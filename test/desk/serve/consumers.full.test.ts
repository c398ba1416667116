import { assert, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Home } from "../../../src/store/home/Home.ts"
import { lockHome } from "../../../src/store/home/lock/lockHome.ts"
import { publish } from "../../../src/store/lake/publish/publish.ts"
import { cardlake, json, settings, startCardlake, startSandbox } from "../../pipelines/cli.ts"
import { currentOf } from "../../store/lake/currentOf.ts"
import { emptyHome, publishNights } from "../../store/lake/handMadeNights.ts"
import { card, catalogueFolder, gameId, idOf, repricedGame } from "../../store/lake/invented.ts"
import { testIn } from "../../support/suite.ts"
import { linesOf, serving } from "./served.ts"

const consumers = 200
const nights = 8

/** Resident memory of a process in MB. */
const megabytesOf = (pid: number | undefined) =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

it("200 programs that wait see every publication, and the memory of the server is flat", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cardlake-consumers-"))
  const scope = Scope.makeUnsafe()
  const games = { [gameId]: repricedGame(gameId, { days: nights + 1 }) }
  const catalogue = await Effect.runPromise(Scope.provide(catalogueFolder(games), scope))
  const sandbox = await startSandbox({ catalogue })
  const env = settings(sandbox.url, join(folder, "lake"))
  const night = async () => json(await cardlake(["nightly", gameId, "--json"], { env }))
  await night()
  const server = startCardlake(["serve", "--port", "0", "--json"], { env })
  await server.shows('"url"')
  const { url } = JSON.parse(server.text()) as { url: string }
  const seen = Array.from({ length: consumers }, () => new Array<string>())
  const follow = async (own: Array<string>) => {
    let since = 1
    while (since <= nights) {
      const text = await (await fetch(`${url}/v1/changes?since=${since}&wait=60`)).text()
      own.push(text)
      since = Number(/\{"next":(\d+),.*\}\n$/.exec(text)?.[1])
    }
  }
  const following = Promise.all(seen.map(follow))
  const memory = new Array<number>()
  for (let at = 0; at < nights; at++) {
    await sandbox.deploy(gameId)
    await night()
    memory.push(megabytesOf(server.process.pid))
  }
  await following
  const sequences = (texts: ReadonlyArray<string>) => [
    ...new Set(Array.from(texts.join("").matchAll(/^\{"sequence":(\d+)/gm), ([, number]) => Number(number)))
  ]
  for (const texts of seen) {
    assert.deepStrictEqual(
      sequences(texts),
      Array.from({ length: nights }, (_, at) => at + 2)
    )
    assert.strictEqual(
      texts.join("").replaceAll(/^\{"next".*\n/gm, ""),
      seen[0]?.join("").replaceAll(/^\{"next".*\n/gm, "")
    )
  }
  assert.isBelow((memory.at(-1) ?? 0) - (memory[2] ?? 0), 60, memory.join(" "))
  server.process.kill()
  await sandbox.stop()
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true, force: true })
}, 900_000)

const publications = 10_000

testIn(emptyHome)(
  "a program that is 10,000 publications behind reads them in pages",
  function* () {
    const [first, second] = yield* Effect.scoped(
      publishNights([{ products: [card(1)] }, { products: [card(1, { name: "Renamed" })] }])
    )
    const ids = [first, second].map((night) => idOf(night?.manifest.snapshot ?? ""))
    const { history, ...current } = currentOf(gameId, ids)
    // Every tenth one changes the name: a rollback, or its opposite. The others read the same again.
    const steps = Array.from({ length: publications }, (_, at) => {
      const snapshot = ids[Math.floor(at / 10) % 2] ?? idOf("")
      return { ...(history[0] ?? assert.fail()), sequence: at + 1, snapshot }
    })
    yield* publish(idOf("many"), { ...current, history: steps }, yield* lockHome("nightly", idOf("many")))
    const home = yield* Home
    assert.isAbove(readFileSync(home.current).length, publications)
    const { get } = yield* serving()
    const found: Array<Readonly<Record<string, unknown>>> = []
    let [since, pages] = [0, 0]
    while (since < publications) {
      const page = linesOf(yield* get(`/v1/changes?since=${since}&limit=100`))
      found.push(...page.slice(0, -1))
      assert.isAtMost(page.length, 110)
      since = Number(page.at(-1)?.["next"])
      pages += 1
    }
    const renamed = found.filter(({ field }) => field === "name")
    assert.deepStrictEqual(
      renamed.map(({ sequence }) => sequence),
      Array.from({ length: publications / 10 - 1 }, (_, at) => (at + 1) * 10 + 1)
    )
    assert.strictEqual(renamed[0]?.["new"], "Renamed")
    assert.isAbove(pages, 9)
  },
  900_000
)
