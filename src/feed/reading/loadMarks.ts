import { readFileSync } from "node:fs"
import { appendFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { RawFilesFailed } from "./ExtractionError.ts"
import { rawNames } from "./RawFiles.ts"

type Mark = "begun" | "ended"

const lineOf = (load: Mark): string => JSON.stringify({ load })

/**
 * Notes in a reading's ledger that its load begins or has ended, and
 * flushes it, so that the note survives whatever kills the process.
 */
export const markLoad = (folder: string, mark: Mark) =>
  Effect.tryPromise({
    try: () => appendFile(join(folder, rawNames.ledger), `\n${lineOf(mark)}\n`, { flush: true }),
    catch: (cause) => new RawFilesFailed({ folder, cause: String(cause) })
  })

/** Whether a process died while it loaded the reading in a folder, as far as its ledger tells. */
export const diedLoading = (folder: string): Effect.Effect<boolean> =>
  Effect.sync(() => {
    try {
      const ledger = readFileSync(join(folder, rawNames.ledger), "utf8")
      return ledger.lastIndexOf(`\n${lineOf("begun")}\n`) > ledger.lastIndexOf(`\n${lineOf("ended")}\n`)
    } catch {
      return false
    }
  })
