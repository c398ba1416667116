import { assert, it } from "@effect/vitest"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { remove, settings, startCardlake, startSandbox, temporaryFolder } from "./cli.ts"

it("a night goes on to its report even if nobody reads its log and output any more", async () => {
  const folder = temporaryFolder()
  const sandbox = await startSandbox()
  const home = join(folder, "lake")
  try {
    const args = ["nightly", "clockwork-orchard", "--log", "json"]
    const night = startCardlake(args, { env: settings(sandbox.url, home) })
    await night.shows("reading")
    night.process.stderr?.destroy()
    night.process.stdout?.destroy()
    assert.strictEqual((await night.ended).code, 0)
    assert.strictEqual(readdirSync(join(home, "runs")).length, 1)
    assert.isFalse(existsSync(join(home, "lock")))
  } finally {
    await sandbox.stop()
    remove(folder)
  }
})
