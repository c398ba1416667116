import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { hash } from "node:crypto"
import { globSync, statSync } from "node:fs"
import { join } from "node:path"
import { Home } from "../../../../src/store/home/Home.ts"
import { runCompact } from "../../../../src/night/run/runCompact.ts"
import { emptyHome, publishNights } from "../handMadeNights.ts"
import { card } from "../invented.ts"
import { showing } from "../../../../src/night/run/showing.ts"
import { testIn } from "../../../support/suite.ts"

/** Numbers without a pattern, as other systems have them. */
const idOf = (row: number): number => Number.parseInt(hash("md5", String(row)).slice(0, 8), 16) % 1_000_000

testIn(emptyHome)("the external ids of a month take no more room than those of its first night", function* () {
  const { root } = yield* Home
  const products = Array.from({ length: 20_000 }, (_, at) =>
    card(at + 1, {
      externalIds: {
        sourceEur: [{ finish: "Standard", id: idOf(3 * at) }],
        sourceUsd: [{ finish: "Standard", id: idOf(3 * at + 1) }],
        mtgId: String(idOf(3 * at + 2))
      }
    })
  )
  yield* Effect.scoped(publishNights([{ products }]))
  yield* runCompact([]).pipe(showing(Date.parse("2026-06-01T12:00:00Z")))
  const bytesOf = (pattern: string) => globSync(pattern, { cwd: root }).map((file) => statSync(join(root, file)).size)
  const [night = 0] = bytesOf("snapshots/*/*/external_ids.parquet")
  const [month = 0] = bytesOf("history/*/*/*/external_id_versions.parquet")
  assert.isAbove(night, 0)
  assert.isBelow(month, night * 1.02)
})
