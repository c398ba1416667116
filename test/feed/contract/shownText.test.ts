import { assert, describe, it } from "@effect/vitest"
import { shownLines, shownText } from "../../../src/feed/contract/shownText.ts"

describe("shownText", () => {
  const seen: ReadonlyArray<readonly [what: string, text: string, shown: string]> = [
    ["a screen that is cleared", "\u001b[2JDragon", "␛[2JDragon"],
    ["a terminal link", "\u001b]8;;https://a.example\u001b\\Dragon", "␛]8;;https://a.example␛\\Dragon"],
    ["a clipboard that is set", "\u001b]52;c;aGk=\u0007", "␛]52;c;aGk=␇"],
    ["line ends and tabs", "a\r\nb\tc", String.raw`a\r\nb\tc`],
    ["line ends of Unicode", "a\u2028b\u2029c\u0085d", String.raw`a\u{2028}b\u{2029}c\u{85}d`],
    ["controls of eight bits", "\u009b2J\u009d52;c;aGk=\u009c", String.raw`\u{9b}2J\u{9d}52;c;aGk=\u{9c}`],
    ["NUL and DEL", "a\u0000b\u007fc", "a␀b␡c"],
    ["writing turned round", "\u202egnp.exe\u202c", String.raw`\u{202e}gnp.exe\u{202c}`],
    ["isolates and marks", "\u2066a\u2069\u200e\u200f\u061c", String.raw`\u{2066}a\u{2069}\u{200e}\u{200f}\u{61c}`],
    [
      "letters without width",
      "a\u200bb\u200db\ufeff\u2060\u00ad",
      String.raw`a\u{200b}b\u{200d}b\u{feff}\u{2060}\u{ad}`
    ],
    ["letters that look like blanks", "a\u3164b\u{e0041}", String.raw`a\u{3164}b\u{e0041}`],
    ["half a letter", "a\ud800b", String.raw`a\u{d800}b`],
    ["a mark without its letter", "\u0301a \u0323b", "◌\u0301a ◌\u0323b"]
  ]
  for (const [what, text, shown] of seen) {
    it(`makes visible: ${what}`, () => assert.strictEqual(shownText(text), shown))
  }

  for (const text of ["", "Æther Café, 青眼の白龍", "e\u0301", "ที่นี่", "❤\ufe0f", String.raw`a\nb`, '<b>"|`']) {
    it(`leaves alone: ${JSON.stringify(text)}`, () => assert.strictEqual(shownText(text), text))
  }

  it("shortens what is too long, counting letters, not UTF-16 units", () => {
    assert.strictEqual(shownText("abcd", 4), "abcd")
    assert.strictEqual(shownText("abcde", 4), "abc…")
    assert.strictEqual(shownText("𝔸𝔹ℂ𝔻", 4), "𝔸𝔹ℂ𝔻")
    assert.strictEqual(shownText("𝔸𝔹ℂ𝔻𝔼", 4), "𝔸𝔹ℂ…")
  })

  it("keeps the lines of a text that has several", () => {
    assert.strictEqual(shownLines("a\nb\rc\n"), "a\nb\\rc\n")
  })
})
