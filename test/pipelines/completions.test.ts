import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { cardlake, remove, temporaryFolder } from "./cli.ts"

const shells = ["bash", "zsh", "fish"] as const
const has = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0
for (const shell of shells) if (!has(shell)) console.warn(`There is no ${shell}: it does not read its completions`)

describe("--completions", () => {
  let folder: string
  const fileOf = (shell: string) => join(folder, `cardlake.${shell}`)
  beforeAll(async () => {
    folder = temporaryFolder()
    for (const shell of shells) {
      const { code, stderr, stdout } = await cardlake(["--completions", shell])
      assert.deepStrictEqual([code, stderr], [0, ""])
      writeFileSync(fileOf(shell), stdout)
    }
  })
  afterAll(() => remove(folder))
  const bash = (script: string) =>
    spawnSync("bash", ["--norc", "-c", `source "$0" && ${script}`, fileOf("bash")], { encoding: "utf8" })

  it.each(shells.filter(has))("%s reads them without a fault", (shell) => {
    const { status, stderr } = spawnSync(shell, ["-n", fileOf(shell)], { encoding: "utf8" })
    assert.deepStrictEqual([status, stderr], [0, ""])
  })

  it("bash completes the command with them", () => {
    const { stderr, stdout } = bash("complete -p cardlake")
    assert.deepStrictEqual([stdout, stderr], ["complete -F _cardlake cardlake\n", ""])
  })

  it.each([
    ["in", ["init"]],
    ["nig", ["nightly"]],
    ["init --h", ["--home", "--hour"]],
    ["nightly --log j", ["json"]],
    ["export --to drop --format d", ["delta", "ducklake"]]
  ] as const)("bash completes cardlake %s", (line, words) => {
    // As readline calls it: the command, the word, and the one before.
    const typed = `COMP_LINE="cardlake ${line}"; COMP_WORDS=($COMP_LINE); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMP_POINT=\${#COMP_LINE}`
    const call = '_cardlake cardlake "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"'
    const { stderr, stdout } = bash(`{ ${typed}; ${call}; printf '%s\\n' "\${COMPREPLY[@]}"; }`)
    assert.deepStrictEqual([stdout.trim().split("\n").toSorted(), stderr], [[...words], ""])
  })
})
