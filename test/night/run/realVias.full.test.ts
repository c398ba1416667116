import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { type KnownDialect, dialectNames } from "../../../src/feed/contract/dialect/dialects.ts"
import { deploymentsOf, hasRealCatalogue, realCatalogue, stepsOf } from "../../pipelines/realCatalogue.ts"
import { reconciledByPages } from "../../pipelines/realNights.ts"
import { bothVias, homeBy, sumsOfTables } from "./bothVias.ts"
import { live } from "../../support/suite.ts"

/** Modifications of symbols and release dates, which no feed file has. */
const onlyOnPages = { riftbound: 0, fleshandblood: 5111, magic: 0 }

/** A night of every deployment of a game by both ways of reading; how many modifications only pages could see. */
const readBoth = Effect.fnUntraced(function* (gameId: string, dialect: KnownDialect) {
  const { feeds, pages, sandbox } = yield* bothVias({ catalogue: realCatalogue, livePrices: "frozen", dialect })
  const turns = yield* homeBy(sandbox, "feeds")
  const inTurns = [turns, yield* homeBy(sandbox, "pages", { CARDLAKE_HOME: turns.home })]
  let unseen = 0
  for (const [index, { date }] of deploymentsOf(gameId).entries()) {
    if (index > 0) yield* sandbox.deploy(gameId)
    const [fast] = (yield* feeds.night(gameId)).games
    const [slow] = (yield* pages.night(gameId)).games
    const where = `${gameId} ${date} ${dialect}`
    assert.deepStrictEqual([fast?.verdict, fast?.via, slow?.verdict], ["published", "feeds", "published"], where)
    for (const { sums, table } of sumsOfTables) {
      assert.deepStrictEqual(yield* feeds.rows(sums), yield* pages.rows(sums), `${where}: ${table}`)
    }
    if (dialect === "spec") {
      const [turn] = (yield* inTurns[index % 2]?.night(gameId) ?? Effect.die("no turn")).games
      assert.deepStrictEqual([turn?.verdict, turn?.reconciliation?.unexplained], ["published", 0], `${where} in turns`)
    }
    const truth = stepsOf(gameId)[index - 1]
    if (truth === undefined) continue
    const { added, modifiedBeyondPrices, removed } = truth.products
    assert.deepInclude(fast?.changes?.products, { added, removed }, where)
    assert.deepInclude(
      fast?.changes?.expansions,
      { added: truth.expansions.added, removed: truth.expansions.removed },
      where
    )
    const unseenNow =
      modifiedBeyondPrices -
      (fast?.changes?.products.modifiedCatalogue ?? 0) +
      truth.expansions.modified -
      (fast?.changes?.expansions.modified ?? 0)
    // Removals by slug alone, too: whatever feed files can show is confirmed.
    const ofExpansions = truth.expansions.added + truth.expansions.modified + truth.expansions.removed
    const seen = added + modifiedBeyondPrices + removed + ofExpansions - unseenNow
    assert.deepStrictEqual(
      fast?.reconciliation,
      { confirmed: seen, claimedNotSeen: unseenNow, seenNotClaimed: 0, unexplained: 0 },
      where
    )
    assert.deepStrictEqual(slow?.reconciliation, reconciledByPages(gameId, truth, dialect), where)
    unseen += unseenNow
  }
  return unseen
}, Effect.scoped)

describe.skipIf(!hasRealCatalogue)(
  "the real games by both ways of reading, where the real catalogue is at hand",
  () => {
    for (const gameId of ["riftbound", "fleshandblood", "magic"] as const) {
      for (const dialect of dialectNames) {
        live(
          `${gameId}: every deployment gives the same tables, and all differences that feed files can show (${dialect})`,
          () => Effect.map(readBoth(gameId, dialect), (unseen) => assert.strictEqual(unseen, onlyOnPages[gameId])),
          1_800_000
        )
      }
    }
  }
)
