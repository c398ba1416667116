// A separate program, so that a query that does not end can be killed.
// It reads one request from standard input and prints the answer as lines.
import { text } from "node:stream/consumers"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { setInterval } from "node:timers/promises"
import { availableBytes } from "../../../feed/rows/memoryBound.ts"
import { consoleAnswer, type ConsoleRequest } from "./consoleAnswer.ts"

/** Process memory beyond DuckDB's limit, because a single value may exceed that. */
const maxBytes = Math.min(1.5 * 2 ** 30, availableBytes / 2)

const guard = async (): Promise<void> => {
  for await (const _ of setInterval(50, null, { ref: false })) {
    if (process.memoryUsage.rss() > maxBytes) process.kill(process.pid, "SIGKILL")
  }
}

void guard()
await pipeline(Readable.from(consoleAnswer(JSON.parse(await text(process.stdin)) as ConsoleRequest)), process.stdout)
