import { stat } from "node:fs/promises"
import { basename } from "node:path"
import { Effect } from "effect"
import { lakeStep } from "../../home/LakeError.ts"
import { fileSha256 } from "../../home/disk.ts"
import type { Destination } from "../destination/Destination.ts"
import { putThere, type ToldCommit } from "./commitFacts.ts"

/** A partition of a table as it was read back; `fault` null = it is right. */
export interface ReadPartition {
  readonly table: string
  readonly game: string
  readonly dt: string
  readonly rows: number
  readonly bytes: number
  readonly fault: string | null
}

/** What is wrong with a file that a table names; null = nothing. Ours are named by their sha256. */
export const fileFault = Effect.fnUntraced(function* (to: Destination, stage: string, path: string, bytes: number) {
  const local = yield* to.fetch(path, stage)
  if (local === null) return "its file is gone"
  const { size } = yield* lakeStep(`Look at ${local}`, () => stat(local))
  if (size !== bytes) return `its file has ${size} bytes instead of ${bytes}`
  const [, sha256] = /^([0-9a-f]{64})\.parquet$/.exec(basename(path)) ?? []
  // A file that another program wrote, for example by merging several, has another name.
  return sha256 === undefined || (yield* fileSha256(local)) === sha256 ? null : "its file has a different sha256"
})

/** A partition that another program took out. */
export const lostPartition = (table: string, game: string, dt: string): ReadPartition => {
  return { table, game, dt, rows: 0, bytes: 0, fault: "its rows are no longer in the table" }
}

/** Partitions that a table's commits, oldest first, put there last, and that are no longer among those read. */
export const lostPartitions = (
  table: string,
  read: ReadonlyArray<ReadPartition>,
  commits: Iterable<ToldCommit>
): ReadonlyArray<ReadPartition> => {
  const there = new Set(read.map(({ dt, game }) => `${dt} ${game}`))
  return putThere(commits)
    .filter(([game, dt]) => !there.has(`${dt} ${game}`))
    .map(([game, dt]) => lostPartition(table, game, dt))
}
