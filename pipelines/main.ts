import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import type * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { cardlake } from "./cardlake.ts"

/** Ends with npm: killing npm ends only its shell, and a server would keep running unnoticed. */
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

// The reader of our log or answer may exit. The night continues, and its report has the outcome.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (cause: NodeJS.ErrnoException) => {
    if (stream === process.stdout && cause.code !== "EPIPE") throw cause
  })
}

/** Terminal, files and processes of Node. A text of `--help` needs none, and loading them took a fifteenth of its time. */
const services =
  process.argv.at(-1) === "--help" && !process.argv.includes("--")
    ? (Layer.empty as Layer.Layer<never> as typeof NodeServices.layer)
    : Layer.unwrap(Effect.promise(async () => (await import("@effect/platform-node/NodeServices")).layer))

cardlake(process.argv.slice(2)).pipe(
  Effect.provide(services),
  // Standard output is only for the answer.
  Effect.provideService(Logger.LogToStderr, true),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
