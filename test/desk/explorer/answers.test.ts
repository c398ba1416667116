import { suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { parse } from "csv-parse/sync"
import { columnOf, counted, exploredSample, page, Pages, rows, tableOf, textOf, totalOf } from "./explored.ts"
import { sampleGame } from "../../store/lake/sampleHome.ts"

const game = `/games/${sampleGame}`

suite(exploredSample, "a page answers", (it) => {
  it("/diff: the changes of the newest night by filter, and the changelog's claims", function* () {
    const [{ added, confirmed, fields } = {}] = yield* rows(
      `select count(*) filter (entity = 'product' and change = 'added') as added, count(*) filter (class = 'catalogue') as fields,
           (select count(*) from reconciliations where status = 'confirmed') as confirmed
         from changes`
    )
    const diff = yield* page(`${game}/diff`)
    assert.include(textOf(diff.html), `Products added ${String(added)}`)
    assert.include(textOf(diff.html), `Changelog: ${String(confirmed)} items confirmed`)
    assert.strictEqual(totalOf(yield* page(`${game}/diff?show=changes`)), Number(fields))
    const [{ lows } = {}] = yield* rows(
      "select count(*) as lows from changes where class = 'price' and field like '%market_value%'"
    )
    const filtered = yield* page(`${game}/diff?class=price&field=Market_Value&entity=product&change=modified`)
    assert.strictEqual(totalOf(filtered), Number(lows))
    const claims = yield* page(`${game}/diff?show=claims&status=confirmed&entity=expansion`)
    const expansions = yield* rows(
      "select slug from reconciliations where entity = 'expansion' and status = 'confirmed' order by slug"
    )
    assert.deepStrictEqual(
      columnOf(claims, "Changes claimed", "slug"),
      expansions.map((row) => String(row["slug"]))
    )
  })

  it("/diff: release notes by kind, with every line of a kind behind its link", function* () {
    const notes = yield* page(`${game}/diff`)
    const removed = yield* rows(
      "select coalesce(old, '') as name from changes where entity = 'product' and change = 'removed' order by name"
    )
    const all = yield* page(`${game}/diff?show=removed`)
    const names = columnOf(all, "Removed: No longer in the catalogue.", "name")
    assert.isAbove(names.length, 0)
    const removedNames = removed.map((row) => String(row["name"]))
    for (const name of names) assert.include(removedNames, name)
    assert.isAtLeast(tableOf(notes, "New in the catalogue.").length, 2)
    assert.notInclude(textOf(notes.html), "Reused ids")
  })

  it("with .csv, .json, .html or .md: what it lists as a file, whole and exact", function* () {
    const { url } = yield* Pages
    const file = (path: string) => Effect.promise(() => fetch(`${url}${path}`))
    const textAt = (path: string) => Effect.map(page(path), ({ html }) => html)
    const [{ prices } = {}] = yield* rows(
      "select list(concat(id, ' ', old, ' ', new) order by id, field) as prices from changes where class = 'price' and change = 'modified'"
    )
    const chosen = `${game}/diff.csv?show=changes&class=price&change=modified&sort=field`
    const lines = parse(yield* textAt(chosen), { columns: true }) as ReadonlyArray<Record<string, string>>
    assert.sameMembers(
      lines.map(({ id, new: now, old }) => `${id} ${old} ${now}`),
      prices as unknown as Array<string>
    )
    const changes = JSON.parse(yield* textAt(`${game}/diff.json`)) as ReadonlyArray<unknown>
    assert.strictEqual(changes.length, (yield* rows("from changes")).length)
    assert.match(yield* textAt(`${game}/diff.md`), /^# .*what changed/)
    const notes = yield* file(`${game}/diff.html`)
    const name = notes.headers.get("content-disposition") ?? ""
    assert.match(name, new RegExp(`^attachment; filename="${sampleGame}-diff-(\\S+)-to-(\\S+)\\.html"$`))
    const [{ ids } = {}] = yield* rows("select list(snapshot order by snapshot) as ids from snapshots")
    // Both nights are of one day, so their ids tell them apart.
    assert.include(name, (ids as unknown as ReadonlyArray<string>).join("-to-"))
    const moves = JSON.parse(yield* textAt(`${game}/movers.json?currency=EUR`)) as ReadonlyArray<object>
    const dollars = JSON.parse(yield* textAt(`${game}/movers.json?currency=USD`)) as ReadonlyArray<object>
    assert.strictEqual(moves.length + dollars.length, (yield* rows("from movers()")).length)
    assert.include(yield* textAt("/.csv"), "game_id,name,snapshot")
    const none = yield* textAt(`${game}/movers.csv?min-price=999999`)
    assert.match(none, /^game_id,product_id,name,[^\r\n]*\r\n(,*\r\n)?$/)
    assert.strictEqual((yield* page("/console.csv")).status, 404)
    assert.strictEqual((yield* page("/nowhere.csv")).status, 404)
  })

  it("/diff?sort=-new: prices sorted by size, not as text", function* () {
    const shown = columnOf(yield* page(`${game}/diff?class=price&field=market_value&sort=-new`), "Changes", "new")
    const prices = shown.map(Number)
    assert.isAbove(prices.length, 10)
    assert.deepStrictEqual(
      prices,
      prices.toSorted((a, b) => b - a)
    )
  })

  it("/diff?from=&to=: backwards too; a snapshot that is not there is refused", function* () {
    const [first = {}, last = {}] = yield* rows("select snapshot from snapshots order by snapshot")
    const back = yield* page(`${game}/diff?from=${String(last["snapshot"])}&to=${String(first["snapshot"])}`)
    const [{ removed } = {}] = yield* rows(
      "select count(*) as removed from changes where entity = 'product' and change = 'removed'"
    )
    assert.include(textOf(back.html), `Products added ${String(removed)}`)
    assert.include(textOf(back.html), "not compared, because the second snapshot is older")
    const wrong = yield* page(`${game}/diff?from=../../etc`)
    assert.strictEqual(wrong.status, 400)
    assert.include(textOf(wrong.html), 'Parameter from is "../../etc". It must be the id of a stored snapshot')
  })

  it("/refusals and /audit: what was refused and why, which ids look wrong", function* () {
    const refusals = yield* page(`${game}/refusals`)
    const refused = yield* rows("select path, reason from refusals order by page, position")
    assert.isAbove(refused.length, 0)
    assert.deepStrictEqual(
      columnOf(refusals, "Records", "field"),
      refused.map((row) => String(row["path"]))
    )
    assert.deepStrictEqual(
      columnOf(refusals, "Records", "error"),
      refused.map((row) => String(row["reason"]))
    )
    const audit = yield* page(`${game}/audit`)
    for (const { kind, n } of yield* rows("select kind, count(*) as n from id_audit group by kind")) {
      assert.include(textOf(audit.html), `${String(kind)} ${counted(n)}`)
      const only = yield* page(`${game}/audit?finding=${String(kind)}`)
      assert.deepStrictEqual([...new Set(columnOf(only, "Findings", "finding"))], [String(kind)])
    }
  })

  it("the sets of a game at an address that somebody shortened", function* () {
    const short = yield* page(game)
    assert.strictEqual(short.status, 200)
    assert.include(short.html, "<h1>Expansions</h1>")
  })

  const missing = [
    "/nowhere",
    "/games/none",
    "/games/none/movers",
    `${game}/products/1`,
    `${game}/products/x`,
    `${game}/expansions/9`,
    "/assets/none.js",
    "/assets/../package.json",
    "/%zz"
  ]
  for (const path of missing) {
    it(`404 with a sentence and a link to go on: ${path}`, function* () {
      const answer = yield* page(path)
      assert.strictEqual(answer.status, 404)
      assert.include(answer.html, '<a href="/">Overview</a>')
    })
  }

  const wrong =
    "movers?days=-1 movers?days=1e9 movers?by=luck spreads?kind=x expansions?sort=name;drop expansions?page=0 audit?finding=%27"
  for (const query of wrong.split(" ")) {
    it(`400 with what the parameter may be: ${query}`, function* () {
      const answer = yield* page(`${game}/${query}`)
      assert.strictEqual(answer.status, 400)
      assert.match(textOf(answer.html), /Parameter [a-z]+ is ".*"\. It must be (a whole number|one of)/)
    })
  }

  it("/search/suggestions: a set by its code, before what is in it, and by how its name begins", function* () {
    const [{ code, expansion_id: id, name } = {}] = yield* rows(
      "select code, expansion_id::varchar as expansion_id, name from expansions where code is not null order by expansion_id limit 1"
    )
    for (const [said, isWhole] of [
      [String(code).toLowerCase(), true],
      [String(name).slice(0, -1), false]
    ] as const) {
      const { sets } = JSON.parse((yield* page(`/search/suggestions?q=${encodeURIComponent(said)}`)).html) as {
        readonly sets: ReadonlyArray<{ readonly name: string; readonly address: string; readonly isWhole: boolean }>
      }
      const { address, isWhole: whole } = sets.find((set) => set.name === name) ?? {}
      assert.deepStrictEqual({ address, whole }, { address: `${game}/expansions/${String(id)}`, whole: isWhole })
    }
  })
})
