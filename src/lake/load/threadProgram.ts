import { parentPort, workerData } from "node:worker_threads"
import { type Job, makeThreadWork } from "./threadWork.ts"

/** The program of a thread that takes pages apart. */
const work = makeThreadWork(String(workerData))

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on("message", (job: Job) => parentPort?.postMessage(work(job)))
