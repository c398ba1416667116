import { assert, it } from "@effect/vitest"
import { wrapSentence, wrapText } from "../../../src/night/observe/shortTexts.ts"

const indent = " ".repeat(4)

it("each command has a line of its own, and the text after it begins a new one", () => {
  const text =
    "held: See its answers with: cardlake doctor --capture capture.json, add the new path, then publish: cardlake replay game --dialect dialect.json; if it is right: cardlake release game"
  assert.deepStrictEqual(wrapSentence(text, 50, indent), [
    "held: See its answers with:",
    "    cardlake doctor --capture capture.json",
    "    Add the new path, then publish:",
    "    cardlake replay game --dialect dialect.json",
    "    If it is right:",
    "    cardlake release game"
  ])
  assert.deepStrictEqual(wrapSentence("Free space: rm -r /a/b. Then run: npx cardlake nightly", 80), [
    "Free space:",
    "rm -r /a/b",
    "Then run:",
    "npx cardlake nightly"
  ])
  assert.deepStrictEqual(wrapSentence("With systemd: journalctl -u cardlake.service; with cron: the mail", 80), [
    "With systemd:",
    "journalctl -u cardlake.service",
    "With cron: the mail"
  ])
})

it("a command that is wider than the terminal continues after a backslash, never within quotes", () => {
  assert.deepStrictEqual(
    wrapSentence(
      "Publish: cardlake release game 20261127T213304280Z-4b40 --why 'it was checked' --home '/a b'",
      40,
      indent
    ),
    [
      "Publish:",
      String.raw`    cardlake release game \ `.trimEnd(),
      String.raw`      20261127T213304280Z-4b40 --why \ `.trimEnd(),
      "      'it was checked' --home '/a b'"
    ]
  )
})

it("a figure stays beside its unit, and text without a command is only wrapped", () => {
  assert.deepStrictEqual(wrapText("prices of 45.3 %, down from (90.3 %): over 20", 15), [
    "prices of",
    "45.3 %, down",
    "from (90.3 %):",
    "over 20"
  ])
  assert.deepStrictEqual(wrapSentence("A night needs more than 10.0 MB, or 1.2 GB", 30), [
    "A night needs more than",
    "10.0 MB, or 1.2 GB"
  ])
  assert.deepStrictEqual(wrapSentence("Nothing to do", 80), ["Nothing to do"])
})
