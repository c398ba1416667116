// A program of its own, so that a query that does not end can be killed.
// Reads one request from standard input and prints the answer as lines.
import { text } from "node:stream/consumers"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { setInterval } from "node:timers/promises"
import { availableBytes } from "../../../feed/rows/memoryBound.ts"
import { consoleAnswer, type ConsoleRequest } from "./consoleAnswer.ts"

/** Memory beyond DuckDB's own bound: a single value may be larger than it. */
const maxBytes = Math.min(1.5 * 2 ** 30, availableBytes / 2)

const guard = async (): Promise<void> => {
  for await (const _ of setInterval(50, null, { ref: false })) {
    if (process.memoryUsage.rss() > maxBytes) process.kill(process.pid, "SIGKILL")
  }
}

void guard()
await pipeline(Readable.from(consoleAnswer(JSON.parse(await text(process.stdin)) as ConsoleRequest)), process.stdout)
