import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { cardlake } from "./cardlake.ts"

/** npm that is killed ends the shell between it and us, not us; without this, a server would go on unseen. */
const endWithNpm = () => {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, "SIGTERM")
  }, 500)
  timer.unref()
}
if (process.env["npm_command"] !== undefined) endWithNpm()

// Whoever read our log or answer may leave; a night goes on, and its report says how it ended.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (cause: NodeJS.ErrnoException) => {
    if (stream === process.stdout && cause.code !== "EPIPE") throw cause
  })
}

cardlake(process.argv.slice(2)).pipe(
  Effect.provide(NodeServices.layer),
  // Standard output has the answer and nothing else.
  Effect.provideService(Logger.LogToStderr, true),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
