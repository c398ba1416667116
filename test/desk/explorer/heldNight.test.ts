import { suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { gameId } from "../../store/lake/invented.ts"
import { columnOf, page, Pages, textOf } from "./explored.ts"
import { exploredInvented } from "./exploredInvented.ts"

suite(exploredInvented, "pages of a held night", (it) => {
  it("say that a snapshot is held and why, how old the lake is, and link to what the held one changes", function* () {
    const { root, url } = yield* Pages
    const overview = yield* page("/")
    const text = textOf(overview.html)
    assert.include(text, "1 game; 2 things wait for you.")
    assert.match(text, /not read for \d+ days\. Read it now: cardlake nightly hollowmere/)
    assert.include(text, `cardlake nightly hollowmere --home '${root}'`)
    assert.include(text, "is held back: 5 of <60> products disappeared. See the difference")
    const release = `cardlake release hollowmere night9 --why '…' --home '${root}'`
    assert.include(text, release)
    assert.include(text, "If it is wrong: do nothing, what is published stays")
    assert.match(text, /Hollowmere held Read/)
    const [, address = ""] = /href="([^"]*to=night9)"/.exec(overview.html) ?? []
    const diff = yield* page(address.replaceAll("&amp;", "&"))
    assert.strictEqual(diff.status, 200)
    assert.include(textOf(diff.html), "night9, not published")
    const [beforeCounts = ""] = textOf(diff.html).split("Products added")
    assert.match(beforeCounts, /Held: what follows is not published\. The lake has the night of 2026-05-08 03:00 UTC/)
    assert.include(beforeCounts, "Why it is held: 5 of <60> products disappeared If it is right publish it:")
    assert.include(beforeCounts, release)
    assert.include(beforeCounts, "If it is wrong do nothing. It stays held, what is published stays")
    assert.deepStrictEqual(columnOf(diff, "Records refused", "id"), ["dep_<7>", "200"])
    const file = address.replaceAll("&amp;", "&").replace("/diff", "/diff.html")
    assert.include(
      textOf((yield* page(file)).html),
      "Held: the later of the two is not published. Why: 5 of <60> products disappeared."
    )
    const { headers } = yield* Effect.promise(() => fetch(url + file))
    assert.match(headers.get("content-disposition") ?? "", /"hollowmere-diff-2026-05-08-to-[^"]*-held\.html"/)
    assert.match(diff.html, /<option value="night6"[^>]*>\s*read 2/)
    const chosen = (yield* page(`/games/${gameId}/diff`)).html.matchAll(/<option value="(night\d)"[^>]* selected/g)
    assert.deepStrictEqual(
      Array.from(chosen, ([, snapshot]) => snapshot),
      ["night6", "night7"]
    )
  })
})
