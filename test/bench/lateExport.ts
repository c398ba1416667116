import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { exportTo } from "../warehouse/FourNights.ts"
import { runProgram, type Finished } from "./program.ts"
import { dayMillis } from "./report.ts"
import { inHome, publishYear, yearOfNights } from "./yearOfNights.ts"

const last = Date.parse("2026-01-20T03:00:00Z")
const lastDay = "2026-01-20"

/**
 * Makes so many nights of a snapshot, not compacted, and a drop that has the table `games` of all but the last. Returns
 * the export of that last one, into a copy of the drop.
 */
export const lateExport = async (
  seedFolder: string,
  folder: string,
  nights: number
): Promise<() => Promise<Finished>> => {
  const home = join(folder, `home-${nights}`)
  const drop = join(folder, `late-${nights}`)
  mkdirSync(home, { recursive: true })
  const made = Effect.gen(function* () {
    yield* publishYear(yield* yearOfNights(seedFolder, last - (nights - 1) * dayMillis, nights))
    yield* exportTo(drop, { tables: ["games"] })
  })
  await inHome(home, made)
  return async () => {
    const copy = mkdtempSync(join(folder, "late-"))
    cpSync(drop, copy, { recursive: true })
    const finished = await runProgram(["export", "--to", copy, "--since", lastDay, "--json"], { CARDLAKE_HOME: home })
    rmSync(copy, { recursive: true })
    return finished
  }
}
