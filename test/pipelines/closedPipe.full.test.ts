import { folderHere, tinySandboxHere } from "../support/place.ts"
import { assert, it } from "@effect/vitest"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { settings, startCardlake } from "./cli.ts"

const home = join(folderHere(), "lake")
const sandbox = await tinySandboxHere("fable")

it("a night goes on to its report even if nobody reads its log and output any more", async () => {
  const night = startCardlake(["nightly", "--log", "json"], { env: settings(sandbox.url, home) })
  await night.shows("reading")
  night.process.stderr?.destroy()
  night.process.stdout?.destroy()
  assert.strictEqual((await night.ended).code, 0)
  assert.strictEqual(readdirSync(join(home, "runs")).length, 1)
  assert.isFalse(existsSync(join(home, "lock")))
})
