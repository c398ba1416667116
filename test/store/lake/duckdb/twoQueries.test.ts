import { assert, it } from "@effect/vitest"
import { fileURLToPath } from "node:url"
import { node, remove, start, temporaryFolder } from "../../../pipelines/cli.ts"

it("a program ends when one of its queries fails while another one runs", async () => {
  const folder = temporaryFolder()
  const program = fileURLToPath(new URL("twoQueries.ts", import.meta.url))
  const ended = await start(node, [program, folder], { env: {} }).ended
  assert.strictEqual(ended.code, 1)
  assert.include(ended.stderr, "it fails")
  remove(folder)
})
