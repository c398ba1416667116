import { suite, testIn } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { cardlake } from "../../pipelines/cli.ts"
import { card, expansion, gameId, idOf, type Json } from "../../store/lake/invented.ts"
import { Home } from "../../../src/store/home/Home.ts"
import type { Lake } from "../../../src/store/lake/duckdb/Lake.ts"
import { currentOf } from "../../store/lake/currentOf.ts"
import { diffSnapshots } from "../../../src/store/diff/diffSnapshots.ts"
import { lockHome } from "../../../src/store/home/lock/lockHome.ts"
import { publish } from "../../../src/store/lake/publish/publish.ts"
import { emptyHome, nightTime, publishNights, snapshotOf } from "../../store/lake/handMadeNights.ts"
import { isFull } from "../../tried.ts"
import { type Answer, columnOf, explore, page, Pages, rows, tableOf, textOf } from "./explored.ts"

const eurIds = (...ids: ReadonlyArray<readonly [finish: string, id: number]>): Json => ({
  externalIds: { sourceEur: ids.map(([finish, id]) => ({ finish, id })) }
})
const inSet = (expansionId: number, printNumber: string): Json => ({
  expansionId,
  expansion: { id: expansionId, code: `M${expansionId}`, name: `Marsh ${expansionId}` },
  printNumber
})
const eur = (marketValue: number) => ({ sourceEur: { currency: "EUR", marketValue } })
const priced = (blocks: Json): Json => ({ pricesByFinish: { Standard: blocks } })

/** Rook's id goes to Stoat; Newt and Otter share one; Pike has two; Quail's foil has none; Raven's prices differ greatly. */
const night = (index: number) => ({
  products: [
    card(1, { name: "Rook", ...inSet(71, "1"), ...eurIds(["Standard", index === 0 ? 100 : 101]) }),
    card(2, { name: "Stoat", ...inSet(72, "5"), ...eurIds(["Standard", index === 0 ? 200 : 100]) }),
    card(3, { name: "Newt", ...inSet(71, "3"), ...eurIds(["Standard", 300]), ...priced(eur(3)) }),
    card(4, { name: "Otter", ...inSet(72, "4a"), ...eurIds(["Standard", 300]), ...priced(eur(50.5)) }),
    card(5, { name: "Pike", ...eurIds(["Standard", 500], ["Standard", 501]) }),
    card(6, { name: "Quail", finishes: ["Standard", "Foil"], ...eurIds(["Standard", 600]) }),
    card(7, {
      name: "Raven",
      ...eurIds(["Standard", 700]),
      ...priced({ ...eur(90), sourceUsd: { currency: "USD", marketValue: 10 } })
    }),
    // Two faces of one card, and two pitches of one name.
    card(8, { name: "Inner Moth", ...inSet(71, "95"), ...eurIds(["Standard", 800]) }),
    card(9, { name: "Outer Moth", ...inSet(71, "95"), ...eurIds(["Standard", 800]) }),
    card(10, { name: "Heron", ...inSet(72, "61"), ...eurIds(["Standard", 900]) }),
    card(11, { name: "Heron", ...inSet(72, "63"), ...eurIds(["Standard", 900]) })
  ],
  expansions: [expansion(71), expansion(72)]
})

const audited = Pages.over(publishNights([night(0), night(1)]))

const address = `/games/${gameId}/audit`
const findings = (answer: Answer) => tableOf(answer, "Findings").slice(1)

suite(audited, "the audit of ids", (it) => {
  it("has a row for each id or product, every product with its set, its number and what the feed says", function* () {
    assert.deepStrictEqual(findings(yield* page(address)), [
      [
        "Newt M71 · 3 · Standard €3.00 Otter M72 · 4a · Standard €50.50",
        "2 products of 2 names share an id",
        "Source EUR",
        "300",
        "shared"
      ],
      [
        "Heron M72 · 61 · Standard Heron M72 · 63 · Standard",
        "2 products of one name share an id",
        "Source EUR",
        "900",
        "shared"
      ],
      [
        "Stoat M72 · 5 · Standard Rook M71 · 1 · had it until 2026-05-02 · Standard id 101",
        "the id moved to another product on 2026-05-02",
        "Source EUR",
        "100",
        "moved"
      ],
      ["Pike Standard id 500 · Standard id 501", "2 ids for Standard", "Source EUR", "", "doubled"],
      ["Quail Foil no id · Standard id 600", "no id for Foil", "Source EUR", "", "missing"],
      [
        "Raven Source EUR id 700, €90.00 · Source USD $10.00",
        "prices of Standard differ greatly",
        "Source EUR",
        "",
        "apart"
      ]
    ])
  })

  it("links both products of an id", function* () {
    const { html } = yield* page(`${address}?finding=moved`)
    for (const id of [1, 2]) assert.include(html, `href="/games/${gameId}/products/${id}"`)
  })

  it("begins with how many there are of each kind, what each means and what to do", function* () {
    const all = yield* page(address)
    assert.include(
      textOf(all.html),
      "all 9 shared 4 moved 1 doubled 2 missing 1 apart 1 Meaning and next steps shared : Several products share an id"
    )
    assert.strictEqual(all.html.match(/Next step:/g)?.length, 5)
    const one = yield* page(`${address}?finding=missing`)
    assert.deepStrictEqual(columnOf(one, "Findings", "finding"), ["missing"])
    assert.strictEqual(one.html.match(/Next step:/g)?.length, 1)
  })

  it("as a file has a row per finding, as the lake's view has it", function* () {
    const file = JSON.parse((yield* page(`${address}.json`)).html) as ReadonlyArray<Json>
    const view = yield* rows("from id_audit order by kind, system, external_id, product_id, finish")
    assert.deepStrictEqual(
      file.map(({ detail, kind, product_id }) => [kind, String(product_id), detail]),
      view.map(({ detail, kind, product_id }) => [kind, String(product_id), detail])
    )
  })
})

const chips = (answer: Answer) =>
  textOf(/aria-label="Kinds of findings">([\s\S]*?)<\/nav>/.exec(answer.html)?.[1] ?? "")

testIn(emptyHome)(
  "a finding that a person confirms as not wrong is listed apart, also after another night, until that is taken back",
  function* () {
    const { changes, root } = yield* Home
    const run = (...args: ReadonlyArray<string>) =>
      Effect.promise(() => cardlake(["audit", ...args, "--home", root], { env: {} }))
    const nights = yield* Effect.scoped(publishNights([night(0), night(1)]))
    const { page } = yield* explore(yield* Effect.context<Home | Lake>())
    const open = "all 9 shared 4 moved 1 doubled 2 missing 1 apart 1"
    assert.strictEqual(chips(yield* page(address)), open)
    const confirmed = yield* run("confirm", gameId, "--id", "300", "--why", "Both halves of one card")
    assert.match(
      confirmed.stdout,
      /\n2 findings confirmed as not wrong\. Take it back: cardlake audit doubt .* --id 300\n$/
    )
    const second = nights[1] ?? assert.fail()
    const third = yield* snapshotOf("night2", { completedAt: nightTime(2), ...night(1) }, second)
    yield* diffSnapshots(second, third, changes(gameId, idOf("night2")))
    const published = [...nights, third].map(({ manifest }) => manifest.snapshot)
    yield* publish(idOf("later"), currentOf(gameId, published), yield* lockHome("nightly", idOf("later")))
    const after = yield* page(address)
    assert.strictEqual(chips(after), "all 7 shared 2 moved 1 doubled 2 missing 1 apart 1 not wrong 2")
    assert.notInclude(JSON.stringify(findings(after)), "Newt")
    assert.deepStrictEqual(
      findings(yield* page(`${address}?finding=not+wrong`)).map(([name]) => name),
      ["Newt M71 · 3 · Standard €3.00 Otter M72 · 4a · Standard €50.50"]
    )
    assert.notInclude((yield* page(`/games/${gameId}/products/3`)).html, "An external id looks wrong")
    assert.match((yield* run("list")).stdout, /shared .* 300 +Both halves of one card/)
    const taken = yield* run("doubt", gameId, "--id", "300")
    assert.match(taken.stdout, /\n\nThe audit reports 2 findings again\n$/)
    assert.strictEqual(chips(yield* page(address)), open)
    assert.include((yield* page(`/games/${gameId}/products/3`)).html, "An external id looks wrong")
    if (!isFull) return
    for (const [args, says] of [
      [["confirm", gameId, "--id", "301"], /^1 .*has no such finding\. See all: cardlake query/],
      [["confirm", "nogame", "--id", "300"], /^2 .*The lake has no game nogame\. It has: /],
      [["doubt", "nogame", "--id", "300"], /^2 .*The lake has no game nogame\. It has: /],
      [["confirm", gameId], /^2 .*Say which finding: --id .*--product/],
      [["doubt", gameId, "--product", "3"], /^1 .*List those that are: cardlake audit list --home/]
    ] as const) {
      const { code, stderr } = yield* run(...args)
      assert.match(`${code} ${stderr}`, says)
    }
  }
)
