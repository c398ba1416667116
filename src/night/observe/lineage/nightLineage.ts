import { Effect } from "effect"
import { Home } from "../../../store/home/Home.ts"
import { snapshotTables } from "../../../feed/schema/snapshotTables.ts"
import { readSnapshot } from "../../../store/home/Manifest.ts"
import { computeExitCode, type RunReport } from "../RunReport.ts"
import { lakeDataset } from "./runEvent.ts"
import type { LineageEnd } from "./withLineage.ts"

export const nightJob = "cardlake.nightly"

/** Returns a night's lineage: the marketplace as input, each published table with the changed games' rows as output. */
export const nightLineage = Effect.fnUntraced(function* (report: RunReport, marketplace: string | null) {
  const home = yield* Home
  const published = report.games.filter(({ verdict }) => verdict === "published")
  const folders = published.flatMap(({ gameId, snapshot }) =>
    snapshot === null ? [] : [home.snapshot(gameId, snapshot)]
  )
  const snapshots = yield* Effect.forEach(folders, readSnapshot)
  const counts = snapshots.map(({ manifest }) => manifest.tables)
  const outputs = yield* Effect.forEach(snapshotTables, ({ columns, name }) =>
    lakeDataset(name, {
      columns: columns.map((column) => ({
        name: column.name,
        type: column.type || "varchar",
        comment: column.comment
      })),
      rows: counts.reduce((sum, tables) => sum + (tables[name]?.rows ?? 0), 0)
    })
  )
  const faults = report.games.flatMap(({ gameId, reason, verdict }) =>
    verdict === "failed" ? [`${gameId}: ${reason ?? "failed"}`] : []
  )
  return {
    inputs:
      marketplace === null
        ? []
        : report.games.map(({ gameId }) => ({ namespace: marketplace, name: `v1/feeds/${gameId}` })),
    outputs: published.length === 0 ? [] : outputs,
    reason: [0, 3].includes(computeExitCode(report.games)) ? null : faults.join("; ")
  } satisfies LineageEnd
})
