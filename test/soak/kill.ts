import type { KnownDialect } from "../../src/feed/contract/dialect/dialects.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import type { Via } from "../../src/feed/contract/Via.ts"
import type { FaultRule } from "../../src/market/faults/FaultPlan.ts"
import { homePaths } from "../../src/store/home/homePaths.ts"
import { main, node, start } from "../pipelines/cli.ts"
import { placeOfSnapshot, type References } from "./references.ts"
import { filesWithKey, publishedState, sandboxAt, soakKey } from "./soakHome.ts"
import { seededNumbers } from "./soakPlan.ts"
import { idOf } from "../store/lake/invented.ts"
import { newFolder } from "../support/suite.ts"

/** Requests whose pages are on disk in readings without a snapshot, as their ledgers name them. */
export const pagesOnDisk = (root: string): ReadonlySet<string> => {
  const raw = join(root, "raw")
  if (!existsSync(raw)) return new Set()
  const requests = readdirSync(raw, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("ledger.ndjson"))
    .flatMap((name) => {
      const folder = join(raw, name, "..")
      const [gameId = "", runId = ""] = name.split("/")
      if (existsSync(homePaths(root).snapshot(gameId, idOf(runId)))) return []
      return readFileSync(join(raw, name), "utf8")
        .split("\n")
        .flatMap((line) => {
          try {
            const page: { request?: string; file?: string } = JSON.parse(line)
            const isThere = page.file !== undefined && existsSync(join(folder, page.file))
            if (!isThere || page.request === undefined) return []
            const [, feed] = /^feed (\w+)$/.exec(page.request) ?? []
            if (feed !== undefined) return [`GET /files/feeds/${gameId}/${feed}.ndjson.gz`]
            return /(products|expansions)/.test(page.request) ? [page.request] : []
          } catch {
            return []
          }
        })
    })
  return new Set(requests)
}

/**
 * Whether a page was asked for although it was on disk.
 * At its end a reading asks for some pages of products once more, to see if the feed stood still.
 */
export const isAskedAgain = (
  request: string,
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>
): boolean => {
  const closing = request.startsWith("POST") ? 1 : 0
  return (after.get(request) ?? 0) > (before.get(request) ?? 0) + closing
}

/** Pages come one after the other, so that a kill often finds some of them on disk. */
export const slowPages = [0, 200, 400, 600].map(
  (offset) => ({ kind: "delay", endpoint: "products", offset, millis: 100 + offset }) as const
)

/** Feed files come in pieces, so that a kill often finds a part of one. */
const slowFiles = [{ kind: "drip", endpoint: "downloads", bytes: 1500, millis: 40 }] as const

const measured = async (run: () => Promise<unknown>) => {
  const started = performance.now()
  await run()
  return performance.now() - started
}

/**
 * Spawned nights in the words of one dialect, or of either, killed at random moments; after each kill the lake is the old or the new one.
 * After `chances` tries a night is let through, and must end like an undisturbed one.
 */
export const killNights = Effect.fnUntraced(function* (
  catalogue: string,
  references: References,
  seed: number,
  kills: number,
  chances: number,
  { dialect = null, via = "pages" }: { readonly via?: Via; readonly dialect?: KnownDialect | null } = {}
) {
  const next = seededNumbers(seed)
  const gameIds = Object.keys(references)
  const last = (references[gameIds[0] ?? ""]?.length ?? 1) - 1
  const seen = {
    kills: 0,
    nights: 0,
    afterEnd: 0,
    pagesOnDisk: 0,
    pagesAskedAgain: 0,
    repairMillis: [] as Array<number>
  }
  let nightMillis = 0

  while (seen.kills < kills) {
    const root = yield* newFolder
    const rules: ReadonlyArray<FaultRule> = [...slowPages, ...slowFiles]
    const sandbox = yield* sandboxAt(catalogue, {}, { rules })
    const env = { CARDLAKE_URL: sandbox.url, CARDLAKE_API_KEY: soakKey, CARDLAKE_HOME: root, CARDLAKE_VIA: via }
    const spawn = () => start(node, [main, "nightly"], { env })
    for (let place = 0; place <= last && seen.kills < kills; place++) {
      const where = `seed ${seed}, after ${seen.kills} kills, place ${place}`
      if (place > 0) yield* Effect.forEach(gameIds, sandbox.deploy)
      yield* sandbox.speak(dialect ?? (next() < 0.5 ? "spec" : "live"))
      const before = yield* publishedState(root)
      let asked = new Map<string, number>()
      let onDisk: ReadonlySet<string> = new Set()
      const countAgain = Effect.map(sandbox.requests, (requests) => {
        seen.pagesOnDisk += onDisk.size
        for (const request of onDisk) if (isAskedAgain(request, asked, requests)) seen.pagesAskedAgain += 1
        asked = new Map(requests)
      })
      if (nightMillis > 0) {
        for (let chance = 0; chance < chances && seen.kills < kills; chance++) {
          const night = spawn()
          const moment = next() * nightMillis * 1.05
          yield* Effect.promise(() => Promise.race([setTimeout(moment), night.ended]))
          if (night.process.exitCode === null) seen.kills += 1
          else seen.afterEnd += 1
          night.process.kill("SIGKILL")
          const ended = yield* Effect.promise(() => night.ended)
          assert.notInclude(ended.stdout + ended.stderr, soakKey)
          yield* countAgain
          onDisk = pagesOnDisk(root)
          yield* lakeIsOldOrNew(root, references, before, place, `${where}, killed after ${Math.round(moment)} ms`)
        }
      }
      const millis = yield* Effect.promise(() =>
        measured(async () => {
          const ended = await spawn().ended
          assert.strictEqual(ended.code, 0, `${where}: ${ended.stdout}${ended.stderr}`)
          assert.notInclude(ended.stdout + ended.stderr, soakKey)
        })
      )
      yield* countAgain
      if (nightMillis > 0) seen.repairMillis.push(Math.round(millis))
      nightMillis = millis
      seen.nights += 1
      const { lake, snapshots } = yield* publishedState(root)
      for (const gameId of gameIds) {
        const published = snapshots[gameId]
        assert.isDefined(published, where)
        if (published === undefined) continue
        assert.strictEqual(placeOfSnapshot(references[gameId] ?? [], published), place, where)
        assert.strictEqual(lake[gameId]?.snapshot, published.snapshot, where)
        assert.strictEqual(lake[gameId]?.products, published.rows["products"], where)
      }
    }
    assert.deepStrictEqual(filesWithKey(root), [], `seed ${seed}`)
  }
  return seen
}, Effect.scoped)

/** Asserts that the lake is still the one from before, or has every game whole as it is at this place. */
const lakeIsOldOrNew = Effect.fnUntraced(function* (
  root: string,
  references: References,
  before: Effect.Success<ReturnType<typeof publishedState>>,
  place: number,
  where: string
) {
  if (!existsSync(join(root, "lake.duckdb"))) return assert.deepStrictEqual(before.lake, {}, where)
  const { lake } = yield* publishedState(root)
  const isOld = JSON.stringify(lake) === JSON.stringify(before.lake)
  const fresh = Object.entries(lake).map(([gameId, { prices, products }]) => {
    const rows = references[gameId]?.[place]?.rows
    return rows?.["products"] === products && rows?.["source_prices"] === prices
  })
  assert.isTrue(isOld || fresh.every(Boolean), `${where}: ${JSON.stringify(lake)} was ${JSON.stringify(before.lake)}`)
})
