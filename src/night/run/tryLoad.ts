import { execFile } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Duration, Effect } from "effect"
import { Fault } from "../../feed/contract/Fault.ts"
import type { RunId } from "../../feed/contract/Ids.ts"
import { Home } from "../../store/home/Home.ts"
import { NightPatience } from "./NightSettings.ts"
import { removeAll } from "../../store/home/disk.ts"

/** A crash of DuckDB ends its process, so this program is not run in ours. */
const program = fileURLToPath(new URL("loadTrial.ts", import.meta.url))

/** Runs a trial, and describes its failure; null if it succeeded. */
const trial = (parameters: ReadonlyArray<string>, bound: Duration.Duration) =>
  Effect.callback<string | null>((resume) => {
    const options = { timeout: Duration.toMillis(bound), killSignal: "SIGKILL" } as const
    const child = execFile(process.execPath, [program, ...parameters], options, (error, _, stderr) => {
      if (error === null) return resume(Effect.succeed(null))
      if (error.killed) return resume(Effect.succeed(`it had not ended after ${Duration.format(bound)}`))
      const lastLine = stderr.trim().split("\n").at(-1)?.slice(0, 300) ?? ""
      resume(Effect.succeed(error.signal ?? (lastLine === "" ? `exit code ${error.code}` : lastLine)))
    })
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** Loads a reading in a separate process as a trial. Fails with `LoadDied` if the process does not succeed. */
export const tryLoad = Effect.fn("tryLoad")(function* (gameId: string, runId: RunId) {
  const home = yield* Home
  const work = join(runId, "trial")
  const cause = yield* Effect.ensuring(
    trial([home.root, gameId, runId, work], (yield* NightPatience).trial),
    Effect.ignore(removeAll("Clean up", [home.work(work)]))
  )
  if (cause === null) return
  return yield* new Fault(
    "LoadDied",
    `Loading ${gameId} crashed the program on an earlier night, and again in tonight's trial (${cause}), so the game is skipped. Its raw pages stay in ${home.raw(gameId, runId)} until the game is read to its end; tomorrow it is read from the start. If it fails again, report it with these pages`
  )
})
