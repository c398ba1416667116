import { Effect } from "effect"
import { readStatus, recordLook } from "../src/night/observe/readStatus.ts"
import { planPrune } from "../src/night/run/runPrune.ts"
import { formatAmount } from "../src/store/diff/formatAmount.ts"
import { Home } from "../src/store/home/Home.ts"
import { measureBytes } from "../src/store/home/disk.ts"
import { findBucket, inHome, readNeedsIfAny } from "./flags/inHome.ts"
import { toSettings } from "./flags/sharedFlags.ts"
import { chooseExitCode, failed, findLevel, printFindings, toRows } from "./lake/Finding.ts"
import { isNearlyFull, type Prunable } from "./lake/describeDisk.ts"
import { statusFindings } from "./lake/statusFindings.ts"
import { printJson, printText, Stopped } from "./print/printAnswer.ts"
import { settingsFaults } from "./settings/examineSettings.ts"
import { readSchedule } from "./settings/readSchedule.ts"
import { homeServices } from "./settings/services.ts"
import type * as specs from "./specs/setup.ts"

/** Rules that a prune is tried with, the mildest first, until it frees something. */
const pruneRules = [
  ["--keep-days", 90],
  ["--keep-days", 30],
  ["--keep-days", 7],
  ["--keep-last", 7],
  ["--keep-last", 1]
] as const

/** Returns the mildest prune that frees something; null if none does, or the home is damaged. */
export const findPrunable = Effect.gen(function* () {
  const home = yield* Home
  for (const [flag, count] of pruneRules) {
    const rules = flag === "--keep-days" ? { days: count, last: null } : { days: null, last: count }
    const plan = yield* planPrune({ ...rules, monthly: false })
    if (plan.bytes <= 0) continue
    const folders = plan.games.flatMap(({ gameId, rawRuns }) => rawRuns.map((run) => home.raw(gameId, run)))
    const pages = yield* Effect.forEach(folders, (folder) =>
      Effect.map(measureBytes(folder), (bytes) => ({ folder, bytes }))
    )
    return { rule: `${flag} ${count}`, plan, pages: pages.toSorted((a, b) => b.bytes - a.bytes) } satisfies Prunable
  }
  return null
}).pipe(Effect.orElseSucceed(() => null))

/** Prints how things stand on one screen, from what is on disk. */
export const status = Effect.fnUntraced(function* ({ json, maxAge, ...flags }: typeof specs.status.Input) {
  const settings = toSettings(flags)
  const bucket = yield* findBucket(settings)
  const { faults, schedule } = yield* readSchedule(settings)
  const wrong = yield* settingsFaults(settings, false)
  const { address, found } = yield* inHome(settings, { work: readNeedsIfAny("recent"), services: homeServices }, () =>
    Effect.gen(function* () {
      const address = bucket ?? (yield* Home).root
      const found = yield* readStatus(address, { schedule, isRemote: bucket !== null, maxAge })
      const isFull = found.disk !== null && "found" in found.disk && isNearlyFull(found.disk.found)
      const prunable = isFull ? yield* findPrunable : null
      return { address, found: { ...found, prunable, scheduleFaults: faults.map(({ message }) => message) } }
    })
  ).pipe(Effect.scoped)
  const findings = [...statusFindings(found), ...wrong.map((fault) => failed("settings", fault))]
  if (json) {
    const levelled = findings.map((one) => ({ ...one, level: findLevel(one) }))
    yield* printJson({ home: address, at: new Date(found.nowMillis).toISOString(), findings: levelled })
  } else {
    const rows = toRows(findings)
    const marked = rows.filter((row) => findLevel(row) !== "ok").length
    const head =
      marked === 0 ? "nothing needs attention" : `${formatAmount(marked, "thing needs", "things need")} attention`
    yield* printText(`${address}: ${head}`)
    yield* printFindings(rows)
    yield* recordLook(address, found.nowMillis)
  }
  const code = chooseExitCode(findings)
  if (code !== 0) return yield* new Stopped({ code })
})
