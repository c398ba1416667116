import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gameId, idOf } from "../store/lake/invented.ts"
import { main, node, start } from "../pipelines/cli.ts"
import { tinyMarketplace } from "./tinyNights.ts"
import { live } from "../support/suite.ts"

const preload = join(import.meta.dirname, "flushOrder.ts")

live(
  "the raw pages of a snapshot are flushed before it appears, so that it can be replayed after a power cut",
  function* () {
    const { paths, root, settings } = yield* (yield* tinyMarketplace()).newHome
    const order = join(root, "order.json")
    const night = yield* Effect.promise(
      () => start(node, ["--import", preload, main, "nightly"], { env: { ...settings, FLUSH_ORDER: order } }).ended
    )
    assert.strictEqual(night.code, 0, night.stderr)
    const seen = JSON.parse(readFileSync(order, "utf8")) as ReadonlyArray<readonly [string, string]>
    const [name = ""] = readdirSync(join(root, "raw", gameId))
    const run = idOf(name)
    const raw = paths.raw(gameId, run)
    const published = seen.findIndex(([what, path]) => what === "rename" && path === paths.snapshot(gameId, run))
    const flushed = new Set(seen.slice(0, published).flatMap(([what, path]) => (what === "flush" ? [path] : [])))
    const kept = readdirSync(raw, { recursive: true, encoding: "utf8" }).map((name) => join(raw, name))
    assert.isAbove(kept.length, 4)
    assert.deepStrictEqual(
      [...kept, raw, join(root, "raw", gameId), join(root, "raw"), root].filter((path) => !flushed.has(path)),
      []
    )
  }
)
