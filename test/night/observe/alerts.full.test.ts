import { assert, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { root } from "../../pipelines/cli.ts"

/** Comes with Debian's prometheus. */
const promtool = process.env["PROMTOOL"] ?? "promtool"
const has = spawnSync(promtool, ["--version"]).status === 0
if (!has) console.warn("Neither PATH nor PROMTOOL has promtool, so it does not check the alert rules")

it.skipIf(!has)("promtool finds no fault with the alert rules", () => {
  const rules = join(root, "pipelines/schedules/alerts.yaml")
  const { status, stderr, stdout } = spawnSync(promtool, ["check", "rules", rules], { encoding: "utf8" })
  assert.strictEqual(status, 0, stderr)
  assert.match(stdout, /SUCCESS: \d+ rules found/)
})
