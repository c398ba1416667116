import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { DeploymentId } from "../../../src/feed/contract/Ids.ts"
import { runDiff } from "../../../src/night/run/runDiff.ts"
import { diffText } from "../../../pipelines/print/diffPrinted.ts"
import { notesHtml } from "../../../src/desk/notes/notesHtml.ts"
import { notesMarkdown } from "../../../src/desk/notes/notesMarkdown.ts"
import type { NoteSectionName } from "../../../src/desk/notes/noteSections.ts"
import type { Difference } from "../../../src/desk/notes/ReleaseNotes.ts"
import { emptyHome, snapshotOf } from "../lake/handMadeNights.ts"
import { card, expansion, gameId } from "../lake/invented.ts"
import { changelogOf } from "./changelogOf.ts"
import { shared, suite } from "../../support/suite.ts"

const odd = `<b>"A & B"</b> | _x_ 'é'\n<script>alert(1)</script> https://example.com`
const embedded = (id: number, name: string, code: string) => ({ expansionId: id, expansion: { id, name, code } })
const eur = (...ids: ReadonlyArray<number>) => ({ sourceEur: ids.map((id) => ({ finish: "Foil", id })) })

const before = {
  expansions: [expansion(7, { name: "Fen", slug: "fen" }), expansion(8, { name: "Bog", cardCount: 3 })],
  products: [
    card(1, { name: odd, ...embedded(7, "Fen", "F") }),
    card(2, { name: "Old Moth", nameSlug: "old-moth", ...embedded(7, "Fen", "F") }),
    card(3, { name: "Newt", ...embedded(7, "Fen", "F"), printNumber: "1" }),
    card(4, { name: "Otter", externalIds: { ...eur(1, 2), mtgId: "m1" } }),
    card(5, { rarity: "rare" }),
    card(6, { rarity: "rare" }),
    card(7, { name: odd, ...embedded(7, "Fen", "F"), printNumber: "7" })
  ]
}
const after = {
  expansions: [expansion(7, { name: "The Fen", slug: "the-fen" }), expansion(8, { name: "Bog", cardCount: 4 })],
  products: [
    card(2, { name: "Moth", nameSlug: "moth", ...embedded(7, "The Fen", "F") }),
    card(3, { name: "Newt", ...embedded(8, "Bog", "B"), printNumber: "1", variant: "Showcase" }),
    card(4, { name: "Otter", externalIds: { ...eur(2, 3), mtgId: "m1", fabId: "f" } }),
    card(5, { rarity: "common" }),
    card(6, { rarity: "common" }),
    card(7, { name: `${odd}!`, ...embedded(7, "The Fen", "F"), printNumber: "7" })
  ]
}

const Notes = shared("Notes", function* () {
  const a = yield* snapshotOf("a", { ...before, changelog: changelogOf({}) })
  yield* snapshotOf("b", { ...after, changelog: changelogOf({}, { products: { added: [{ slug: "nobody" }] } }) }, a)
  const asked = (from: string, to: string, shown = 200) =>
    runDiff({ gameId, from, to }, { shown, minMove: 20, minPrice: 1 })
  return {
    forward: yield* asked("a", "b"),
    tight: yield* asked("a", "b", 1),
    backward: yield* asked("b", "a"),
    none: yield* asked("b", "b")
  }
})
const notes = Layer.provide(Notes.layer, emptyHome)

const linesOf = (found: Difference, name: NoteSectionName) =>
  found.sections.find(({ section }) => section === name)?.lines ?? []
const valuesOf = (found: Difference, name: NoteSectionName) =>
  linesOf(found, name).map((line) => Object.values(line).map((value) => value ?? "-"))

suite(notes, "release notes", (it) => {
  const test = (name: string, run: (found: typeof Notes.Service) => void) => it(name, () => Effect.map(Notes, run))

  test("say how many more lines there are", ({ tight }) => {
    assert.match(diffText(tight), /^Renamed: 2 products, 1 expansion\n.*\n.*\n.*\n… and 2 more$/m)
    assert.match(notesMarkdown(tight), /^And 2 more; all of them: `cardlake diff hollowmere a b --format csv`$/m)
    assert.include(notesHtml(tight), "The first 1; 2 more.")
  })

  test("list names and slugs of products and expansions that changed under the same id", ({ forward }) =>
    assert.deepStrictEqual(valuesOf(forward, "renamed").slice(0, 1).concat(valuesOf(forward, "renamed").slice(2)), [
      ["expansion", "7", "Fen", "The Fen", "fen", "the-fen"],
      ["product", "2", "Old Moth", "Moth", "old-moth", "moth"]
    ]))

  test("say where a card was and where it is now", ({ forward }) =>
    assert.deepStrictEqual(valuesOf(forward, "moved"), [["Newt", "3", "Fen · 1", "Bog · 1 · Showcase"]]))

  test("list changed external ids system by system", ({ forward }) =>
    assert.deepStrictEqual(valuesOf(forward, "remapped"), [
      ["Otter", "4", "fabId", "-", "f"],
      ["Otter", "4", "sourceEur", "Foil 1, Foil 2", "Foil 2, Foil 3"]
    ]))

  test("sum up other changed fields, except those that follow from a move", ({ forward }) =>
    assert.deepStrictEqual(valuesOf(forward, "edited"), [
      ["expansion", "card_count", "1", "3", "4", "1"],
      ["product", "expansion_name", "2", "Fen", "The Fen", "2"],
      ["product", "rarity", "2", "rare", "common", "2"]
    ]))

  test("list what the changelog does not explain, with claims of items that nobody knows", ({ forward }) => {
    const section = forward.sections.find(({ section }) => section === "unexplained")
    assert.strictEqual(section?.total, forward.reconciliation?.unexplained)
    assert.include(
      valuesOf(forward, "unexplained").map((line) => line.join(" ")),
      "product - nobody added - claimed_not_seen"
    )
  })

  test("are reversed when asked for backwards, and then claim nothing", ({ backward, forward }) => {
    assert.deepStrictEqual(valuesOf(backward, "added"), valuesOf(forward, "removed"))
    assert.deepStrictEqual(valuesOf(backward, "moved"), [["Newt", "3", "Bog · 1 · Showcase", "Fen · 1"]])
    assert.deepStrictEqual(linesOf(backward, "unexplained"), [])
    for (const text of [diffText(backward), notesMarkdown(backward), notesHtml(backward)]) {
      assert.include(text, "Changelog: claims nothing backwards in time")
    }
  })

  test("of a snapshot and itself are empty", ({ none }) => {
    assert.deepStrictEqual(none.sections, [])
    assert.include(notesHtml(none), "Nothing to report.")
  })
})

suite(notes, "a name, whatever its text,", (it) => {
  it("is plain text in HTML, and the page loads nothing", () =>
    Effect.map(Notes, ({ forward }) => {
      const html = notesHtml(forward)
      assert.include(
        html,
        String.raw`&lt;b&gt;&quot;A &amp; B&quot;&lt;&#47;b&gt; | _x_ &#39;é&#39;\n&lt;script&gt;alert(1)`
      )
      assert.notMatch(html, /<b>"|<script|https?:\/\/|\ssrc\s*=|url\(|@import|<link|<img|<iframe/i)
      const tags = [...html.matchAll(/<(\/?)([a-z][a-z0-9]*)[^<>]*?>/g)].filter(
        ([, , name]) => !["meta", "rect", "path"].includes(name ?? "")
      )
      const open: Array<string> = []
      for (const [, closes, name = ""] of tags) {
        if (closes === "") open.push(name)
        else assert.strictEqual(open.pop(), name)
      }
      assert.deepStrictEqual(open, [])
    }))

  it("is plain text in Markdown, and breaks no row of a table", () =>
    Effect.map(Notes, ({ forward }) => {
      const markdown = notesMarkdown(forward)
      const row = markdown.split("\n").find((line) => line.includes("| 1 | card |")) ?? ""
      assert.include(
        row,
        String.raw`| ` +
          "`" +
          String.raw`<b>"A & B"</b> \| _x_ 'é'\n<script>alert(1)</script> https://example.com` +
          "` |"
      )
      for (const table of markdown.matchAll(/(^\|.*\n)+/gm)) {
        const columns = table[0]
          .trimEnd()
          .split("\n")
          .map((line) => line.replaceAll(/\\./g, "").split("|").length)
        assert.strictEqual(new Set(columns).size, 1, table[0])
      }
    }))

  it("breaks no row on a terminal", () =>
    Effect.map(Notes, ({ forward }) =>
      assert.match(diffText(forward), /^<b>"A & B"<\/b> \| _x_ 'é'\\n<script>alert\(1\).* 1 +card/m)
    ))

  const headings: ReadonlyArray<readonly [name: string, heading: string]> = [
    ["_____ <b> a|b *c* [d](e) `f`", "\\_\\_\\_\\_\\_ \\<b\\> a\\|b \\*c\\* \\[d\\](e) \\`f\\`"],
    ["https://a.example/x", "`https://a.example/x`"],
    ["see www.a.example", "`see www.a.example`"],
    ["@everyone", "`@everyone`"],
    ["card #12", "`card #12`"],
    ["``@a`` | b", "``` ``@a`` \\| b ```"],
    ["\u202egnp\u001b[2J", String.raw`\\u{202e}gnp␛\[2J`],
    ["x".repeat(100_000), `${"x".repeat(199)}…`]
  ]
  for (const [name, heading] of headings) {
    it(`is plain text in a heading: ${name.slice(0, 40)}`, () =>
      Effect.map(Notes, ({ forward }) => {
        const found = { ...forward, gameName: name, fromDeployment: DeploymentId.make(`${name}\n`) }
        const [first, , second = ""] = notesMarkdown(found).split("\n")
        assert.strictEqual(first, `# ${heading}: what changed`)
        assert.match(second, /^From `.*` \(.*\) to `/)
        const html = notesHtml(found)
        assert.notMatch(html.replaceAll("\n", ""), /[\p{Cc}\p{Cf}]/u)
        assert.isBelow(html.length, 60_000)
      }))
  }
})
