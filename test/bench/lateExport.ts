import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { lakeServices } from "../../pipelines/settings/services.ts"
import { Current } from "../../src/lake/publish/Current.ts"
import { Home } from "../../src/lake/home/Home.ts"
import { writeJson } from "../../src/lake/home/jsonFile.ts"
import { exportTo } from "../export/Dropped.ts"
import { runProgram, type Finished } from "./program.ts"
import { yearOfNights } from "./yearOfNights.ts"

const day = 24 * 3600 * 1000
const game = "synthetic-1"
const last = Date.parse("2026-01-20T03:00:00Z")
const lastDay = "2026-01-20"

/**
 * What `cardlake export` takes for the last of so many nights, made from a home's only snapshot and
 * not compacted. Of the nights before it, the drop has the table `games`.
 */
export const lateExport = async (seedHome: string, folder: string, nights: number): Promise<Finished> => {
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
    yield* writeJson((yield* Home).current, Current, current)
    yield* exportTo(drop, { tables: ["games"] })
  })
  await Effect.runPromise(made.pipe(Effect.provide(services)))
  return runProgram(["export", "--to", drop, "--since", lastDay, "--json"], { CARDLAKE_HOME: home })
}
