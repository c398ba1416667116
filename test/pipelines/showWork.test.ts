import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { cardlake, remove, temporaryFolder } from "./cli.ts"

const folder = temporaryFolder()
const home = join(folder, "lake")
const long: ReadonlyArray<readonly [args: ReadonlyArray<string>, shows: string]> = [
  [["compact"], "Compacting 0s"],
  [["doctor", "--url", "htp://nowhere"], "Checking the settings 0s"],
  [["doctor", "--repair"], "Repairing 0s"],
  [["export", "--to", join(folder, "drop")], "Exporting 0s"],
  [["export", "--to", join(folder, "drop"), "--verify"], "Reading back 0s"]
]

/** What the command writes to standard error. */
const shownBy = async (args: ReadonlyArray<string>) => (await cardlake([...args, "--home", home])).stderr

/** What a terminal shows once it has got all this: the moves and erasures of a progress line, and text. */
const screenOf = (written: string): string => {
  const rows = [""]
  let [x, y] = [0, 0]
  for (const [part, code, letter] of written
    .replaceAll("\u001B[", "␛")
    .matchAll(/␛([?\d]*)([A-Za-z])|\r|\n|[^␛\r\n]+/g)) {
    const row = rows[y] ?? ""
    if (part === "\r" || letter === "G") x = 0
    else if (part === "\n") [x, y] = [0, y + 1]
    else if (letter === "A") y -= Number(code)
    else if (letter === "J") rows.splice(y, rows.length, row.slice(0, x))
    else if (letter === "K") rows[y] = code === "2" ? "" : row.slice(0, x)
    else if (letter === undefined) {
      rows[y] = row.slice(0, x).padEnd(x) + part + row.slice(x + part.length)
      x += part.length
    }
  }
  return rows.join("\n")
}

describe("a command that takes long", () => {
  const { isTTY } = process.stderr
  const toTerminal = process.stdout.isTTY
  beforeAll(() => mkdirSync(home))
  afterAll(() => {
    process.stderr.isTTY = isTTY
    process.stdout.isTTY = toTerminal
    remove(folder)
  })

  for (const [args, shows] of long) {
    it(`shows on a terminal what it does: cardlake ${args.slice(0, 1).join(" ")}, ${shows}`, async () => {
      process.stderr.isTTY = true
      process.stdout.isTTY = true
      assert.include(await shownBy(args), shows)
      assert.notInclude(await shownBy([...args, "--json"]), shows)
      process.stderr.isTTY = false
      assert.notInclude(await shownBy(args), shows)
    })
  }

  it("of doctor, whose findings go through a pipe, shows no progress that they would be written over", async () => {
    process.stderr.isTTY = true
    process.stdout.isTTY = false
    assert.notInclude(await shownBy(["doctor", "--url", "htp://nowhere"]), "Checking")
  })

  it("leaves on a terminal what it warned of meanwhile, and no progress", async () => {
    const file = join(home, "work/notes.txt")
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, "")
    process.stderr.isTTY = true
    const screen = screenOf(await shownBy(["compact"]))
    rmSync(file)
    assert.strictEqual(screen, "cardlake: The home has files that Cardlake did not write: work/notes.txt\n")
  })
})
