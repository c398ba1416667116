import { Effect } from "effect"
import { dialectOf } from "../../feed/contract/dialect/dialectFrom.ts"
import type { Manifest, SnapshotFolder } from "../home/Manifest.ts"
import { withMoreMemory } from "../lake/duckdb/withMoreMemory.ts"
import type { Diff } from "./Diff.ts"
import { HoldBounds } from "./HoldBounds.ts"
import { openSnapshots } from "./openSnapshots.ts"
import { slips } from "./rules/HoldRule.ts"
import { holdRules } from "./rules/holdRules.ts"

const knownKeys = (manifest: Manifest): ReadonlyArray<string> => {
  const { blocks, ids } = dialectOf(manifest)
  return [...Object.values(blocks), ...Object.values(ids)]
}

/** Opening a table takes as long as most rules need for what they read of it. */
const isRead = (table: string): boolean =>
  holdRules.some(({ sql }) => sql !== null && new RegExp(`\\b(before|after)\\.${table}\\b`).test(sql))

/** Checks a new snapshot against the published one and the game's bounds; returns why it must not be published. */
export const judge = Effect.fn("judge")(
  function* (previous: SnapshotFolder | null, staged: SnapshotFolder, diff: Diff | null) {
    const { manifest } = staged
    const boundOf = yield* (yield* HoldBounds).of(manifest.gameId)
    const session = yield* openSnapshots(previous ?? staged, staged, isRead)
    yield* session.set({
      is_first: previous === null ? 1 : 0,
      known_before: knownKeys(previous?.manifest ?? manifest),
      known_after: knownKeys(manifest),
      slips
    })
    const reasons: Array<string> = []
    for (const { judges, name, sentences, sql } of holdRules) {
      if (previous === null && judges === "later nights") continue
      const rows = sql === null ? [] : yield* session.rows(`Judge the night by: ${name}`, sql)
      reasons.push(...sentences({ manifest, previous: previous?.manifest ?? null, diff }, rows, boundOf[name] ?? 0))
    }
    return reasons
  },
  Effect.scoped,
  withMoreMemory
)
