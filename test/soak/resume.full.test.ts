import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { catalogueFolder, idOf } from "../store/lake/invented.ts"
import { main, node, start } from "../pipelines/cli.ts"
import { homePaths } from "../../src/store/home/homePaths.ts"
import { placeOfSnapshot, readReferences } from "./references.ts"
import { soakDeployments } from "./soakGames.ts"
import { publishedState, sandboxAt, soakKey } from "./soakHome.ts"
import { newFolder } from "../support/suite.ts"

/** Requests whose pages are on disk in readings without a snapshot, as their ledgers name them. */
const pagesOnDisk = (root: string): ReadonlySet<string> => {
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
const isAskedAgain = (
  request: string,
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>
): boolean => {
  const closing = request.startsWith("POST") ? 1 : 0
  return (after.get(request) ?? 0) > (before.get(request) ?? 0) + closing
}

/** Pages come one after the other, so that a kill often finds some of them on disk. */
const slowPages = [0, 200, 400, 600].map(
  (offset) => ({ kind: "delay", endpoint: "products", offset, millis: 100 + offset }) as const
)

it.live.each(["spec", "live"] as const)(
  "a night killed while it reads is continued in the words of %s, and asks for no page again that is on disk",
  (dialect) =>
    Effect.gen(function* () {
      const games = { cedar: soakDeployments("cedar", 500, 650).slice(0, 1) }
      const catalogue = yield* catalogueFolder(games)
      const references = yield* readReferences(catalogue, ["cedar"], 1)
      const root = yield* newFolder
      const sandbox = yield* sandboxAt(catalogue, {}, { rules: slowPages }, dialect)
      const env = { CARDLAKE_URL: sandbox.url, CARDLAKE_API_KEY: soakKey, CARDLAKE_HOME: root }

      const killed = start(node, [main, "nightly"], { env })
      yield* Effect.promise(async () => {
        // One page of expansions and two of products.
        while (pagesOnDisk(root).size < 3 && killed.process.exitCode === null) await setTimeout(20)
        killed.process.kill("SIGKILL")
        await killed.ended
      })
      const asked = yield* sandbox.requests
      const onDisk = pagesOnDisk(root)
      assert.isAtLeast(onDisk.size, 3)

      const { code, stderr, stdout } = yield* Effect.promise(() => start(node, [main, "nightly"], { env }).ended)
      assert.strictEqual(code, 0, stdout + stderr)
      const requests = yield* sandbox.requests
      assert.deepStrictEqual(
        [...onDisk].filter((request) => isAskedAgain(request, asked, requests)),
        []
      )
      const [run = ""] = readdirSync(join(root, "raw", "cedar"))
      const extraction = JSON.parse(readFileSync(join(root, "raw", "cedar", run, "extraction.json"), "utf8"))
      assert.isAtLeast(extraction.resumedPages, onDisk.size)
      const published = (yield* publishedState(root)).snapshots["cedar"]
      assert.isDefined(published)
      if (published !== undefined) assert.strictEqual(placeOfSnapshot(references["cedar"] ?? [], published), 0)
    }),
  120_000
)
