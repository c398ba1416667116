import { randomBytes } from "node:crypto"
import { rename, rm, writeFile } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { Effect } from "effect"
import { outsideHomes } from "../../store/home/OutputInHome.ts"
import type { NightOutcome } from "./NightOutcome.ts"
import { nightWarning } from "./nightEvent.ts"
import { prometheusText } from "./prometheusText.ts"

/**
 * Leaves the outcome for node-exporter's textfile collector: written beside `file` under a name that the collector
 * ignores, then renamed, so that it never reads half of it. A failure is a warning: the night itself is done.
 */
export const writePrometheus = Effect.fnUntraced(function* (file: string, outcome: NightOutcome) {
  const whole = resolve(file)
  const unfinished = join(dirname(whole), `.${basename(whole)}.${randomBytes(4).toString("hex")}.part`)
  const text = yield* prometheusText(outcome)
  const write = Effect.tryPromise(async () => {
    try {
      await writeFile(unfinished, text)
      await rename(unfinished, whole)
    } catch (cause) {
      await rm(unfinished, { force: true })
      throw cause
    }
  })
  yield* Effect.andThen(outsideHomes(whole), write).pipe(
    Effect.catch((error) => {
      const cause = error._tag === "UnknownError" ? error.cause : error.message
      return nightWarning(
        "prometheus",
        `The Prometheus file ${file} was not written (${cause instanceof Error ? cause.message : String(cause)}). The night itself is done`
      )
    })
  )
})
