import { Effect } from "effect"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { gameId } from "../store/lake/invented.ts"
import { dayOf } from "./FourNights.ts"

/** Folder of a table's partition of plain files on the day of a night. */
export const placeOf = (place: number, table = "products") => `${table}/v=1/game=${gameId}/dt=${dayOf(place)}`

/** What `--verify` says of a drop, a line each. */
export const faultsOf = (folder: string) =>
  Effect.map(verifyDrop(folder), ({ faults }) => faults.map(({ partition, what }) => `${partition}: ${what}`))

/** Puts a file there that no export wrote. */
export const put = (path: string) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, "somebody's")
}

export const changeJson = <A>(path: string, change: (read: A) => void) => {
  const read = JSON.parse(readFileSync(path, "utf8")) as A
  change(read)
  writeFileSync(path, JSON.stringify(read))
}

/** Changes what a drop's state says of its days. */
export const changeDays = (
  folder: string,
  change: (days: Record<string, { tables: Record<string, string>; sha256?: Record<string, string> }>) => void
) => {
  const path = join(folder, `_state/${gameId}.json`)
  changeJson<{ days: Parameters<typeof change>[0] }>(path, ({ days }) => change(days))
}
