import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { removed } from "../../../src/store/diff/rules/removed.ts"
import { gameReport } from "../../../src/night/run/commitRun.ts"
import { runDiff } from "../../../src/night/run/runDiff.ts"
import { diffSnapshots } from "../../../src/store/diff/diffSnapshots.ts"
import { writeHeldBack } from "../../../src/store/home/HeldBack.ts"
import { Home } from "../../../src/store/home/Home.ts"
import { lockHome } from "../../../src/store/home/lock/lockHome.ts"
import { publish } from "../../../src/store/lake/publish/publish.ts"
import { changelogOf } from "../../store/diff/changelogOf.ts"
import { homeAfter, snapshotOf } from "../../store/lake/handMadeNights.ts"
import { readSnapshot } from "../../../src/store/home/Manifest.ts"
import { card, gameId, idOf } from "../../store/lake/invented.ts"
import { currentOf } from "../../store/lake/currentOf.ts"
import { lakeRows } from "../../store/lake/tableRows.ts"
import { suite } from "../../support/suite.ts"

const said = (name: string, ...deployments: ReadonlyArray<number>) => ({
  products: [card(1, { name })],
  changelog: changelogOf({}, ...deployments.map((id) => ({ products: { modified: [{ slug: "x", id }] } })))
})

/**
 * a and b were published, b was taken back, c was held, d was published after a, e was held.
 * c, d and e are of the same deployment.
 */
const fiveNights = homeAfter(function* () {
  const home = yield* Home
  const a = yield* snapshotOf("2026a", said("Moth"))
  const b = yield* snapshotOf("2026b", said("Newt", 1), a)
  const c = yield* snapshotOf("2026c", said("Otter", 1, 1), a)
  const d = yield* snapshotOf("2026d", said("Pike", 1, 1), a)
  const e = yield* snapshotOf("2026e", said("Rook", 1, 1), d)
  for (const [from, to] of [[a, b] as const, [a, c] as const, [a, d] as const, [d, e] as const]) {
    yield* diffSnapshots(from, to, home.changes(gameId, to.manifest.snapshot))
  }
  for (const held of [c, e]) yield* writeHeldBack(held.folder, { reasons: ["it looks wrong"] })
  const current = currentOf(gameId, ["2026a", "2026b", "2026a", "2026d"].map(idOf))
  yield* publish(idOf("2026e"), current, yield* lockHome("nightly", idOf("2026e")))
})

suite(fiveNights, "a home with nights that were held and taken back", (it) => {
  const compared = (from: string | null, to: string | null) =>
    Effect.gen(function* () {
      const found = yield* runDiff({ gameId, from, to })
      return `${found.from} ${found.to}`
    })

  it("diff without ids compares the published snapshot with the one published before it", function* () {
    assert.strictEqual(yield* compared(null, null), "2026a 2026d")
  })

  it("diff from a snapshot compares it with the published one, and any two with each other", function* () {
    assert.strictEqual(yield* compared("2026b", null), "2026b 2026d")
    assert.strictEqual(yield* compared("2026d", "2026e"), "2026d 2026e")
  })

  it("diff of a deployment takes its snapshot that counts as a night, or else another one", function* () {
    assert.strictEqual(yield* compared("d1", "d3"), "2026a 2026d")
    assert.strictEqual(yield* compared("d2", null), "2026b 2026d")
  })

  it("diff of a game's first snapshot says that there is none before it", function* () {
    const missing = yield* Effect.flip(compared(null, "2026a"))
    assert.strictEqual(
      missing.message,
      `The home has no earlier snapshot of ${gameId}. See what it has with: cardlake snapshots`
    )
  })

  it("changes and reconciliations contain only the nights that count", function* () {
    for (const table of ["changes", "reconciliations"]) {
      const sql = `select distinct from_snapshot, to_snapshot from ${table}`
      const rows = yield* lakeRows(sql)
      assert.deepStrictEqual(rows, [{ from_snapshot: "2026a", to_snapshot: "2026d" }], table)
    }
  })

  it("a held night's reason names the two snapshots to compare", function* () {
    const home = yield* Home
    const previous = yield* readSnapshot(home.snapshot(gameId, idOf("2026d")))
    const { manifest } = yield* readSnapshot(home.snapshot(gameId, idOf("2026e")))
    const looksWrong = { rule: removed, look: "changes" as const, says: "it looks wrong" }
    const { reason } = gameReport({ verdict: "held", manifest, diff: null, previous, reasons: [looksWrong] })
    assert.strictEqual(
      reason,
      [
        "it looks wrong",
        `Look at the changes: cardlake diff ${gameId} 2026d 2026e`,
        `Decide. If it is right, publish it: cardlake release ${gameId} 2026e --why '…'; if it is wrong, do nothing: the published snapshot does not change, and the next correct night is published`
      ].join("\n")
    )
  })
})
