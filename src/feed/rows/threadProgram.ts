import { parentPort, workerData } from "node:worker_threads"
import { resolveRelative } from "../disk/ownText.ts"
import type { Job } from "./threadWork.ts"

/** The program of a thread that parses pages. Its data are the name of its files. */
resolveRelative()
const { makeThreadWork } = await import("./threadWork.ts")
const work = makeThreadWork(String(workerData))

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on("message", (job: Job) => parentPort?.postMessage(work(job)))
