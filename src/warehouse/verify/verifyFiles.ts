import { Effect } from "effect"
import { tellWork } from "../../store/home/WorkProgress.ts"
import type { Session } from "../../store/lake/duckdb/Lake.ts"
import { hasTable, partitionFolder, readManifest } from "../drop/Drop.ts"
import { exportTables } from "../drop/exportTables.ts"
import type { Belonging } from "../strays.ts"
import type { DropFault, Marked, ReadBack } from "./DropFault.ts"
import { folderOf, readPartition } from "./partitionFault.ts"

/** Reads a drop of plain files back, and holds every partition's folder, manifest and state against each other. */
export const verifyFiles = Effect.fnUntraced(function* (session: Session, { drop, stage, states, to }: Belonging) {
  const tables = new Map(exportTables(drop.decimals).map((table) => [table.name, table]))
  const faults: Array<DropFault> = []
  const marked: Array<Marked> = []
  const read = { partitions: 0, rows: 0, bytes: 0 }
  for (const [index, [gameId, state]] of [...states].entries()) {
    const days = Object.entries(state?.days ?? {})
    for (const [at, [dt, day]] of days.entries()) {
      yield* tellWork(gameId, (index + at / days.length) / states.size)
      for (const [name, madeFrom] of Object.entries(day.tables)) {
        const table = tables.get(name)
        if (table === undefined) continue
        // Written while the home still had it: it is as good as its manifest.
        const isLeftover = !hasTable(madeFrom)
        if (isLeftover && (yield* readManifest(to, partitionFolder(name, table.version, gameId, dt))) === null) continue
        const at = { table, gameId, dt, day, stage }
        const { fault, manifest } = yield* readPartition(session, to, at)
        if (fault !== null) {
          const lost = isLeftover ? ". The home no longer has these rows: put the folder back from a copy" : ""
          faults.push({ partition: folderOf(at), what: `${fault}${lost}` })
          if (!isLeftover) marked.push({ gameId, dt, table: name })
        }
        read.partitions++
        read.rows += manifest?.rows ?? 0
        read.bytes += manifest?.bytes ?? 0
      }
    }
  }
  return { ...read, faults, marked } satisfies ReadBack
})
