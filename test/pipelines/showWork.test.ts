import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { join } from "node:path"
import { cardlake, remove, temporaryFolder } from "./cli.ts"

const folder = temporaryFolder()
const home = join(folder, "lake")
const long: ReadonlyArray<readonly [args: ReadonlyArray<string>, shows: string]> = [
  [["compact"], "Compacting 0s"],
  [["doctor", "--url", "htp://nowhere"], "Checking 0s"],
  [["doctor", "--repair"], "Repairing 0s"],
  [["export", "--to", join(folder, "drop")], "Exporting 0s"],
  [["export", "--to", join(folder, "drop"), "--verify"], "Reading back 0s"]
]

/** What the command writes to standard error. */
const shownBy = async (args: ReadonlyArray<string>) => (await cardlake([...args, "--home", home])).stderr

describe("a command that takes long", () => {
  const { isTTY } = process.stderr
  beforeAll(async () => {
    await cardlake(["doctor", "--home", home])
  })
  afterAll(() => {
    process.stderr.isTTY = isTTY
    remove(folder)
  })

  for (const [args, shows] of long) {
    it(`shows on a terminal what it does: cardlake ${args.slice(0, 1).join(" ")}, ${shows}`, async () => {
      process.stderr.isTTY = true
      assert.include(await shownBy(args), shows)
      assert.notInclude(await shownBy([...args, "--json"]), shows)
      process.stderr.isTTY = false
      assert.notInclude(await shownBy(args), shows)
    })
  }
})
