import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { heldGames } from "../../../src/night/observe/heldGames.ts"
import { runRelease } from "../../../src/night/run/publishAs.ts"
import { verdictText } from "../../../pipelines/night/verdictText.ts"
import { card, type Deployed, gameId, sealed } from "../../store/lake/invented.ts"
import { live } from "../../support/suite.ts"
import { homeBy, servedDays } from "./bothVias.ts"

const under = (block: string, low = 2) => ({ pricesByFinish: { Standard: { [block]: { currency: "EUR", low } } } })

/** Cards whose prices are under a known key, under an unknown one, and nowhere. */
const cards = (low: number, known: number, unknown: number, none: number): Deployed => ({
  products: Array.from({ length: known + unknown + none }, (_, index) =>
    card(index + 1, index < known ? under("sourceEur", low) : index < known + unknown ? under("harbour") : {})
  )
})

const advice =
  /\nLook at the marketplace's answers: cardlake doctor --capture capture\.json\nDecide\. Name them in a mapping file, then publish: cardlake replay hollowmere --dialect dialect\.json; .*publish without them: cardlake release hollowmere \S+ --why '…'$/

live("a night held for unknown keys is judged like any other once a person has released it", function* () {
  const { deploy, sandbox } = yield* servedDays([cards(2, 50, 30, 20), cards(3, 50, 60, 0), cards(4, 47, 63, 0)])
  const { inHome, night, rows } = yield* homeBy(sandbox, "pages")
  const release = inHome(runRelease({ gameId, wanted: null, why: null }))
  const heldReasons = Effect.map(inHome(heldGames), (games) => games.map(({ reason }) => reason))

  const first = yield* night()
  assert.deepInclude(first.games[0], { verdict: "held", drift: { keys: 1, records: 30 } })
  assert.match(first.games[0]?.reason ?? "", advice)
  assert.match((yield* heldReasons).join(), advice)
  yield* release
  const again = yield* night()
  assert.deepInclude(again.games[0], { verdict: "unchanged", drift: { keys: 1, records: 30 } })
  // More cards, and first prices, under the same key.
  yield* deploy
  const second = yield* night()
  assert.strictEqual(second.verdict, "published")
  const [game] = second.games
  const without = game === undefined ? [] : [{ ...game, gameId: "marsh", drift: { keys: 0, records: 0 } }]
  const said = verdictText({ ...second, games: [...second.games, ...without] })
    .split("\n")
    .find((line) => line.startsWith("Unknown keys: "))
  assert.include(said, "hollowmere 1 in 60 records")
  assert.notInclude(said, "marsh")
  assert.match(said ?? "", /cardlake query "from drift"$/)
  assert.deepStrictEqual(yield* rows("select count(*)::int as n from drift where kind = 'key'"), [{ n: 1 }])

  // Prices that were known are lost to it.
  yield* deploy
  const [lost] = (yield* night()).games
  assert.strictEqual(lost?.verdict, "held")
  assert.include(lost?.reason, "2.7 % of the products now have prices or external ids under keys")
  assert.match((yield* heldReasons).join(), advice)
  yield* release
  assert.deepStrictEqual(yield* heldReasons, [])
})

live.full("by feed files is held for such figures, too, and names them as the files have them", function* () {
  const movedLow = { currency: "EUR", mid: 3, high: 4, marketValue: 3, bounds: { lowest: 2 } }
  const { homeBy } = yield* servedDays([
    { products: [card(1, under("sourceEur")), sealed(2, { prices: { sourceEur: movedLow } })] }
  ])
  const [report] = (yield* (yield* homeBy("feeds")).night()).games
  assert.deepInclude(report, { via: "feeds", verdict: "held" })
  assert.include(report?.reason, ": pricesByFinish.*.sourceEur.bounds (no low beside it)\n")
})
