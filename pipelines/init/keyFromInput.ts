import { fstatSync } from "node:fs"
import * as Effect from "effect/Effect"
import { printFault } from "../print/printAnswer.ts"

/** Longer than any key. */
const maxChars = 4096

/** The first line of standard input if it is a pipe or a file; empty if nothing is there to be read. */
export const keyFromInput = Effect.callback<string>((resume) => {
  const input = fstatSync(0)
  if (!input.isFIFO() && !input.isFile() && !input.isSocket()) return resume(Effect.succeed(""))
  let text = ""
  const end = () => resume(Effect.succeed(text.split("\n")[0]?.trim() ?? ""))
  process.stdin.setEncoding("utf8")
  process.stdin.on("data", (chunk: string) => {
    text += chunk
    if (text.includes("\n") || text.length > maxChars) end()
  })
  process.stdin.once("end", end)
  process.stdin.once("error", end)
  return Effect.sync(() => process.stdin.destroy())
}).pipe(
  Effect.ensuring(Effect.sync(() => process.stdin.pause())),
  Effect.race(
    // Somebody may have started this with a pipe that says nothing.
    Effect.delay(printFault("Waiting for the key on standard input"), "1 second").pipe(Effect.andThen(Effect.never))
  )
)
