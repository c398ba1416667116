import { assert, describe } from "@effect/vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { makeFolder, writeWhole } from "../../../src/store/home/disk.ts"
import { outsideHomes } from "../../../src/store/home/OutputInHome.ts"
import { makeFolders } from "../../../src/market/state/makeFolders.ts"
import { newFolder } from "../lake/newFolder.ts"
import { live } from "../../support/suite.ts"

const refusal = <E extends { readonly message: string }>(effect: Effect.Effect<unknown, E>) =>
  Effect.match(effect, { onSuccess: () => "done", onFailure: ({ message }) => message })

// Elsewhere nothing is there that takes no folders.
describe.skipIf(!existsSync("/proc/self"))("what can be written nowhere ends", () => {
  live("where a folder takes no other folders", function* () {
    assert.match(yield* refusal(writeWhole("/proc/x/report.md", "text")), /ENOENT/)
    assert.match(yield* refusal(makeFolder("/proc/x/y")), /ENOENT/)
    assert.throws(() => makeFolders("/proc/x/y"), /ENOENT/)
  })

  live("where a device or a folder has the name", function* () {
    const folder = yield* newFolder
    for (const file of ["/dev/full", "/dev/null", folder])
      assert.strictEqual(
        yield* refusal(outsideHomes(file)),
        `${file} is there and is no regular file, so nothing was written to it. Name a file`
      )
    assert.strictEqual(yield* refusal(outsideHomes(join(folder, "new.md"))), "done")
  })
})
