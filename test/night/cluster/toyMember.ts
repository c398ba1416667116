import { appendFileSync, writeSync } from "node:fs"
import { NodeRuntime } from "@effect/platform-node"
import { Cron, Effect, Redacted } from "effect"
import { askFleet, scheduleFleet, workForFleet, startAgain } from "../../../src/night/cluster/fleet.ts"
import { NightId } from "../../../src/store/home/bucket/nights/nightId.ts"
import { failedReport, type FleetSteps } from "../../../src/night/cluster/FleetSteps.ts"

// A member of a fleet whose steps take so long and only write down that they happened:
// HOME URL LOG worker NAME MILLIS, HOME URL LOG night NAME GAMES, or HOME URL LOG schedule NAME GAMES for each second.
const [home = "", url = "", log = "", what = "", name = "", more = ""] = process.argv.slice(2)
const member = { home, name, postgres: Redacted.make(url) }
const games = more.split(",")

const noted = (step: string, night: string, gameId = "") =>
  Effect.sync(() => appendFileSync(log, `${JSON.stringify({ at: Date.now(), worker: name, step, night, gameId })}\n`))

const taking = (step: string, end: string, night: string, gameId = "") =>
  noted(step, night, gameId).pipe(
    Effect.andThen(Effect.sleep(Number(more))),
    Effect.andThen(noted(end, night, gameId)),
    Effect.andThen(failedReport(gameId, "This is a toy"))
  )

const steps: FleetSteps = {
  plan: (games) => Effect.as(noted("plan", ""), { night: NightId.make("2026-11-23-1"), games }),
  read: (night, gameId) => taking("begin", "end", night, gameId),
  publish: (night, reports) =>
    Effect.map(taking("publish", "published", night), (report) => ({
      ...report,
      games: reports.flatMap(({ games }) => games)
    }))
}

const print = (found: unknown) => Effect.sync(() => process.stdout.write(`${JSON.stringify(found)}\n`))

const said = (text: string) => Effect.sync(() => writeSync(1, `${what} ${name}: ${text}\n`))
const fate = {
  onOutage: () => said("Postgres is away"),
  onLost: (reason: string) => Effect.andThen(said(`starts again: ${reason}`), startAgain)
}

const program = {
  worker: workForFleet(member, { ...fate, atOnce: 1, onReady: said("ready"), steps }),
  night: Effect.flatMap(askFleet(member, { name, games, onAsk: () => Effect.void }), print),
  schedule: scheduleFleet(member, {
    ...fate,
    cron: Cron.parseUnsafe("*/5 * * * * *"),
    name: "every five seconds",
    games,
    onBegin: () => noted("due", ""),
    onEnd: print
  })
}[what as "worker" | "night" | "schedule"]

NodeRuntime.runMain(program)
