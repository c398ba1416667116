import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { catalogueFolder } from "../store/lake/invented.ts"
import { main, node, start } from "../pipelines/cli.ts"
import { isAskedAgain, pagesOnDisk, slowPages } from "./kill.ts"
import { placeOfSnapshot, readReferences } from "./references.ts"
import { soakDeployments } from "./soakGames.ts"
import { publishedState, sandboxAt, soakKey } from "./soakHome.ts"
import { newFolder } from "../support/suite.ts"

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
