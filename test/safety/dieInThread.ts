import { isMainThread } from "node:worker_threads"

/**
 * Preloaded into a process (`node --import`), of which a thread then ends, as if out of memory,
 * when it parses a text that contains `END_THREAD_AT`.
 */
const mark = process.env["END_THREAD_AT"] ?? ""
const { parse } = JSON

if (!isMainThread) {
  JSON.parse = (...[text, reviver]: Parameters<typeof parse>): unknown => {
    if (text.includes(mark)) process.exit(3)
    return parse(text, reviver)
  }
}
