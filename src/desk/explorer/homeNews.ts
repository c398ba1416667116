import { listValue } from "@duckdb/node-api"
import { Effect } from "effect"
import { readCurrent, Home } from "../../store/home/Home.ts"
import { heldSnapshots } from "../../store/home/HeldBack.ts"
import { runsWithReport } from "../../store/home/newRunId.ts"
import type { LakeView } from "./LakeReader.ts"
import { queryNamed } from "./queryNamed.ts"

const runs = queryNamed("runs")

/** How many runs are read. */
const runsShown = 20

/** What the newest runs did with every game, and those that made these snapshots, however long ago. */
export const newestRuns = Effect.fnUntraced(function* (lake: Pick<LakeView, "rows">, snapshots: ReadonlyArray<string>) {
  const home = yield* Home
  const known = yield* runsWithReport
  const asked = new Set([...known.slice(-runsShown), ...known.filter((run) => snapshots.includes(run))])
  const files = [...asked].map(home.run)
  return files.length === 0 ? [] : yield* lake.rows("Read the run reports", runs, { files: listValue(files) })
})

/** A game's snapshots that wait: held since its current one, and since any later one that was taken back. */
export const heldSince = Effect.fnUntraced(function* (gameId: string, present: string) {
  const { history } = yield* readCurrent
  const published = history.flatMap((step) => (step.gameId === gameId ? [step.snapshot] : []))
  const held = yield* heldSnapshots(gameId)
  return held.flatMap(({ manifest, reasons }) =>
    [present, ...published].every((snapshot) => manifest.snapshot > snapshot)
      ? [{ snapshot: manifest.snapshot, readAt: manifest.extractedAt, reasons }]
      : []
  )
})
