import { enableCompileCache } from "node:module"
import { parentPort, workerData } from "node:worker_threads"
import type { Job, ThreadData } from "./threadWork.ts"

/** The program of a thread that parses pages. */
const { cache, name }: ThreadData = workerData

// The cache is enabled before other code loads, because it halves the time to the first page.
if (cache !== null) enableCompileCache(cache)
const { resolveRelative } = await import("../disk/ownText.ts")
resolveRelative()
const { makeThreadWork } = await import("./threadWork.ts")
const work = makeThreadWork(name)

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on("message", (job: Job) => parentPort?.postMessage(work(job)))
