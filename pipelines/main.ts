#!/usr/bin/env node
import { lstatSync, mkdirSync } from "node:fs"
import { enableCompileCache } from "node:module"
import { fileURLToPath } from "node:url"

/** Code in it runs with our rights, so it is a folder that only we may write to, or none. */
const compileCache = (): string | null => {
  const folder = fileURLToPath(new URL("../node_modules/.cardlake", import.meta.url))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch {
    // It exists, or cannot be made.
  }
  const found = lstatSync(folder, { throwIfNoEntry: false })
  const isOurs = found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
  return isOurs ? folder : null
}

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

// Everything else is loaded after this: it takes a third off the time to the first answer.
const cache = compileCache()
if (cache !== null) enableCompileCache(cache)
const NodeRuntime = await import("@effect/platform-node/NodeRuntime")
const NodeServices = await import("@effect/platform-node/NodeServices")
const Effect = await import("effect/Effect")
const Logger = await import("effect/Logger")
const { cardlake } = await import("./cardlake.ts")

cardlake(process.argv.slice(2)).pipe(
  Effect.provide(NodeServices.layer),
  // Standard output has the answer and nothing else.
  Effect.provideService(Logger.LogToStderr, true),
  NodeRuntime.runMain({ disableErrorReporting: true })
)
