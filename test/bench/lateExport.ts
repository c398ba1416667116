import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { lakeServices } from "../../pipelines/settings/services.ts"
import { lockHome } from "../../src/store/home/lock/lockHome.ts"
import { publish } from "../../src/store/lake/publish/publish.ts"
import { idOf } from "../store/lake/invented.ts"
import { exportTo } from "../warehouse/FourNights.ts"
import { runProgram, type Finished } from "./program.ts"
import { yearOfNights } from "./yearOfNights.ts"

const day = 24 * 3600 * 1000
const game = "synthetic-1"
const last = Date.parse("2026-01-20T03:00:00Z")
const lastDay = "2026-01-20"

/**
 * Makes so many nights of a home's only snapshot, not compacted, and a drop that has the table `games`
 * of all but the last. Returns the export of that last one, into a copy of the drop.
 */
export const lateExport = async (
  seedHome: string,
  folder: string,
  nights: number
): Promise<() => Promise<Finished>> => {
  const snapshots = join(seedHome, "snapshots", `game=${game}`)
  const home = join(folder, `home-${nights}`)
  const drop = join(folder, `late-${nights}`)
  mkdirSync(home, { recursive: true })
  const services = lakeServices({ CARDLAKE_HOME: home }).pipe(Layer.provideMerge(NodeServices.layer))
  const made = Effect.gen(function* () {
    const current = yield* yearOfNights(
      join(snapshots, readdirSync(snapshots)[0] ?? ""),
      last - (nights - 1) * day,
      nights
    )
    yield* publish(idOf("bench"), current, yield* lockHome("nightly", idOf("bench")))
    yield* exportTo(drop, { tables: ["games"] })
  })
  await Effect.runPromise(made.pipe(Effect.scoped, Effect.provide(services)))
  return async () => {
    const copy = mkdtempSync(join(folder, "late-"))
    cpSync(drop, copy, { recursive: true })
    const finished = await runProgram(["export", "--to", copy, "--since", lastDay, "--json"], { CARDLAKE_HOME: home })
    rmSync(copy, { recursive: true })
    return finished
  }
}
