import { assert, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { root } from "../../pipelines/cli.ts"
import { debianPackage } from "../../support/fetchedPrograms.ts"

const prometheus = debianPackage("prometheus")

it.skipIf(prometheus === null)("promtool finds no fault with the alert rules", () => {
  const rules = join(root, "pipelines/schedules/alerts.yaml")
  const { status, stderr, stdout } = spawnSync(join(prometheus ?? "", "usr/bin/promtool"), ["check", "rules", rules], {
    encoding: "utf8"
  })
  assert.strictEqual(status, 0, stderr)
  assert.match(stdout, /SUCCESS: \d+ rules found/)
})
