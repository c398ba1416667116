import { assert, describe, it } from "@effect/vitest"
import { documentText } from "../../../pipelines/print/diffPrinted.ts"
import type { Document } from "../../../src/desk/pages/document.ts"
import { documentHtml } from "../../../src/desk/pages/documentHtml.ts"
import { documentMarkdown } from "../../../src/desk/pages/documentMarkdown.ts"
import { html } from "../../../src/desk/pages/html.ts"

/** A document in which every text is this one. */
const everywhere = (text: string): Document => ({
  kicker: text,
  title: [text, ": what changed"],
  intro: [{ sentence: ["From ", { code: text }] }, { sentence: text, isStrong: true }, { sentence: "" }],
  sections: [
    {
      title: text,
      amount: "2 cards",
      says: [text],
      tables: [{ caption: text, columns: [{ label: "name", shape: "name" }], rows: [[text]] }]
    }
  ],
  foot: ["All: ", { code: text }]
})

const hostile = `<b>"A & B"</b> | _x_ 'é'\n<script>alert(1)</script> https://example.com`

const moves: Document = {
  kicker: "Cardlake",
  title: "Moves",
  intro: [
    {
      drawing: html`<svg></svg>`,
      table: {
        caption: "",
        columns: [
          { label: "", shape: "text" },
          { label: "added", shape: "figure" }
        ],
        rows: [["products", "1,234"]]
      }
    }
  ],
  sections: [
    {
      id: "moves",
      title: "Gains",
      amount: "2 products",
      count: 2,
      says: ["One.", "Two."],
      tables: [
        {
          caption: "Since May",
          columns: [
            { label: "card", shape: "name" },
            { label: "old", shape: "figure", side: "old" },
            { label: "percent", shape: "signed" }
          ],
          rows: [
            ["Moth", "$1,945.39", "+3.70 %"],
            ["Salt & Sail", "", "−1.00 %"]
          ]
        }
      ],
      more: 1200
    }
  ],
  foot: "The end."
}

describe("a document in HTML", () => {
  it("is a file that loads nothing, and no text of it is markup", () => {
    const page = documentHtml(everywhere(hostile))
    assert.include(page, String.raw`&lt;b&gt;&quot;A &amp; B&quot;&lt;/b&gt; | _x_ &#39;é&#39;\n&lt;script&gt;alert(1)`)
    assert.notMatch(page, /<b>"|<script|https?:\/\/|\ssrc\s*=|url\(|@import|<link|<img|<iframe/i)
    assert.match(page, /^<!doctype html>\n/)
    const tags = [...page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^<>]*?>/g)].filter(([, , name]) => name !== "meta")
    const open: Array<string> = []
    for (const [, closes, name = ""] of tags) {
      if (closes === "") open.push(name)
      else assert.strictEqual(open.pop(), name)
    }
    assert.deepStrictEqual(open, [])
  })

  it("shows drawings, links to its sections, and marks what rose and fell", () => {
    const page = documentHtml(moves)
    assert.include(page, "<svg></svg>")
    assert.notInclude(page, "products</td>")
    assert.match(page, /<a class="moves" href="#moves">Gains <b>2<\/b><\/a>/)
    assert.match(
      page,
      /<details open id="moves" class="moves">\s*<summary>\s*<h2>Gains<\/h2>\s*<span>2 products<\/span>/
    )
    assert.include(page, '<td class="signed  rise" data-label="percent">+3.70 %</td>')
    assert.include(page, '<td class="signed  fall" data-label="percent">−1.00 %</td>')
    assert.include(page, '<td class="figure old" data-label="old">$1,945.39</td>')
    assert.match(page, /… and 1,200 more<[^]*<footer><p>The end\.<\/p><\/footer>/)
  })
})

describe("a document in Markdown", () => {
  it("has a heading per section, lists, and tables with figures to the right", () =>
    assert.strictEqual(
      documentMarkdown(moves),
      String.raw`# Moves

|  | added |
| --- | ---: |
| products | 1,234 |

## Gains: 2 products

- One.
- Two.

**Since May**

| card | old | percent |
| --- | ---: | ---: |
| Moth | $1,945.39 | +3.70 % |
| Salt & Sail |  | −1.00 % |

… and 1,200 more

The end.`
    ))

  const headings: ReadonlyArray<readonly [name: string, heading: string]> = [
    ["_____ <b> a|b *c* [d](e) `f`", "\\_\\_\\_\\_\\_ \\<b\\> a\\|b \\*c\\* \\[d\\](e) \\`f\\`"],
    ["&amp; $a$ 5 $", "\\&amp; \\$a\\$ 5 $"],
    ["https://a.example/x", "`https://a.example/x`"],
    ["see www.a.example", "`see www.a.example`"],
    ["@everyone", "`@everyone`"],
    ["card #12", "`card #12`"],
    ["``@a`` | b", "``` ``@a`` \\| b ```"],
    ["\u202egnp\u001b[2J", String.raw`\\u{202e}gnp␛\[2J`],
    [hostile, "`" + String.raw`<b>"A & B"</b> \| _x_ 'é'\n<script>alert(1)</script> https://example.com` + "`"]
  ]
  for (const [name, shown] of headings) {
    it(`no text of it means anything: ${JSON.stringify(name.slice(0, 40))}`, () => {
      const [title, from = "", strong, heading, says, caption, table = "", foot = ""] = documentMarkdown(
        everywhere(name)
      ).split("\n\n")
      assert.deepStrictEqual(
        [title, strong, heading, says, caption, table.split("\n")[2]],
        [`# ${shown}: what changed`, `**${shown}**`, `## ${shown}: 2 cards`, shown, `**${shown}**`, `| ${shown} |`]
      )
      assert.match(from, /^From `.*`$/)
      assert.match(foot, /^All: `.*`$/)
    })
  }
})

describe("a document on a terminal", () => {
  it("has the tables of drawings, and a blank line before each section", () =>
    assert.strictEqual(
      documentText(moves, {}),
      `Moves
          added
────────  ─────
products  1,234

Gains: 2 products
One.
Two.
Since May
card         old        percent
───────────  ─────────  ───────
Moth         $1,945.39  +3.70 %
Salt & Sail             −1.00 %
… and 1,200 more

The end.`
    ))

  it("breaks no row", () => assert.strictEqual(documentText(everywhere(hostile), {}).split("\n").length, 12))
})

describe("a document in every medium", () => {
  const printers = { documentHtml, documentMarkdown, documentText: (one: Document) => documentText(one, {}) }
  const hidden = everywhere("\u202egnp\u001b[2J\u2028")
  for (const [name, print] of Object.entries(printers)) {
    it(`shows control and direction characters: ${name}`, () =>
      assert.notMatch(print(hidden).replaceAll("\n", ""), /[\p{Cc}\p{Cf}\u2028]/u))
  }
  it("cuts a cell of a hundred thousand letters in HTML and Markdown", () => {
    const tables: Document = {
      ...moves,
      sections: [{ title: "", says: [], tables: everywhere("x".repeat(100_000)).sections[0]?.tables ?? [] }]
    }
    for (const print of [documentHtml, documentMarkdown]) {
      assert.include(print(tables), `${"x".repeat(199)}…<`.slice(0, print === documentHtml ? 201 : 200))
    }
  })
})
