import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { shellWord } from "../../src/contract/shellWord.ts"

describe("a word of a command line", () => {
  const words = [
    "data/lake",
    "s3://bucket/a-b",
    "",
    "two words",
    "it's",
    `"$HOME" \`ls\` \\`,
    "a*[b]{c,d}~",
    "漢字",
    "-n"
  ]

  it("is what a shell reads, whatever is in it", () => {
    const script = words.map((word) => `printf '%s\\0' ${shellWord(word)}`).join("\n")
    assert.deepStrictEqual(execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1), words)
  })

  it("stays as it is where a shell reads it as it is", () =>
    assert.strictEqual(shellWord("/srv/lake-1.2"), "/srv/lake-1.2"))
})
