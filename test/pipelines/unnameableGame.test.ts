import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { cardlake, key, settings } from "./cli.ts"
import { startProxy } from "./proxy.ts"
import { serveSandbox } from "../../src/sandbox/serveSandbox.ts"

const sample = fileURLToPath(new URL("../../data/sample", import.meta.url))

it.live("a game whose id could leave the home fails alone, and nothing beside the home is touched", () =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "cardlake-test-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
    const home = join(folder, "home")
    mkdirSync(join(folder, "beside"))
    writeFileSync(join(folder, "beside", "kept"), "")
    const sandbox = yield* serveSandbox({ catalogue: sample, key })
    const proxy = yield* Effect.promise(() =>
      startProxy(sandbox.url, ({ answer, path }) =>
        path === "/v1/games" ? answer.replace('{"data":[', '{"data":[{"id":"../../beside","name":"Beside"},') : answer
      )
    )
    const ended = yield* Effect.promise(() => cardlake(["nightly", "--json"], { env: settings(proxy.url, home) }))
    proxy.stop()
    const report = JSON.parse(ended.stdout) as { games: ReadonlyArray<{ verdict: string; reason: string | null }> }
    assert.strictEqual(ended.code, 4)
    assert.deepStrictEqual(report.games.map((game) => game.verdict).sort(), [
      "failed",
      "published",
      "published",
      "published"
    ])
    assert.match(
      report.games.find((game) => game.verdict === "failed")?.reason ?? "",
      /^The game id "\.\.\/\.\.\/beside" cannot name a folder.* Report it to the marketplace$/
    )
    assert.isTrue(existsSync(join(folder, "beside", "kept")))
  }).pipe(Effect.scoped)
)
