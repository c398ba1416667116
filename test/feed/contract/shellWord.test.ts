import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { shellWord } from "../../../src/feed/contract/shellWord.ts"

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

  it("is read by a shell as it was meant, whatever is in it", () => {
    const script = words.map((word) => `printf '%s\\0' ${shellWord(word)}`).join("\n")
    assert.deepStrictEqual(execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1), words)
  })

  it("is left bare where a shell needs no quotes", () =>
    assert.strictEqual(shellWord("/srv/lake-1.2"), "/srv/lake-1.2"))
})
