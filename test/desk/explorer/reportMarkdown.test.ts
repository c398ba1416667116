import { assert, it } from "@effect/vitest"
import { reportMarkdown } from "../../../src/desk/explorer/report/reportTexts.ts"

it("a report's Markdown shows control and direction characters of the feed, and no sign of its texts means anything", () => {
  const text = "a\u001b[2J\u202e|b\u2028# <i>"
  const shown = String.raw`a␛\[2J\\u\{202e\}\|b \# \<i\>`
  const table = { caption: text, heads: ["name"], rows: [[text]] }
  const said = reportMarkdown({ title: text, says: text, sections: [{ title: text, says: [text], tables: [table] }] })
  assert.strictEqual(said.split(shown).length - 1, 6, said)
  assert.notMatch(said, /[^\P{Cc}\n]|\p{Cf}/u)
})
