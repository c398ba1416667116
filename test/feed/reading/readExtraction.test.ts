import { NodeFileSystem } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { readExtraction } from "../../../src/feed/reading/readExtraction.ts"
import { testIn } from "../../support/suite.ts"

for (const [what, text] of [
  ["nothing", undefined],
  ["half an extraction", '{"gameId":"fable"'],
  ["an extraction of another shape", '{"gameId":"fable"}']
] as const) {
  testIn(NodeFileSystem.layer)(
    `a folder with ${what} cannot be read as an extraction, and the error says what to do`,
    function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped()
      if (text !== undefined) yield* fs.writeFileString(`${folder}/extraction.json`, text)
      const error = yield* Effect.flip(readExtraction(folder))
      assert.strictEqual(error._tag, "ExtractionUnreadable")
      assert.match(error.message, /cardlake nightly$/)
    }
  )
}
