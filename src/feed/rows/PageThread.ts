import { getCompileCacheDir } from "node:module"
import { dirname } from "node:path"
import { Worker } from "node:worker_threads"
import type { Done, Job, ThreadData } from "./threadWork.ts"

/** A job under way, and who is waiting for it. */
export interface PendingJob {
  readonly job: Job
  readonly done: (done: Done) => void
}

/** The remains of a thread that ended: its job, the queued jobs, and the rounds whose rows it held. */
export interface Remains {
  readonly over: PendingJob | undefined
  readonly behind: ReadonlyArray<PendingJob>
  readonly folders: ReadonlySet<string>
  readonly cause: string
}

/** A thread that parses pages. It keeps the program alive only while it has a job. */
export class PageThread {
  readonly #worker: Worker
  readonly #pending: Array<PendingJob> = []
  readonly #folders = new Set<string>()
  #hasEnded = false

  constructor(name: string, onFree: () => void, onEnd: (thread: PageThread, remains: Remains) => void) {
    // Node returns the folder of its own version, below the one that the program chose.
    const versioned = getCompileCacheDir()
    const data: ThreadData = { name, cache: versioned === undefined ? null : dirname(versioned) }
    this.#worker = new Worker(new URL("threadProgram.ts", import.meta.url), { workerData: data })
    this.#worker.unref()
    this.#worker.on("message", (done: Done) => {
      const pending = this.#pending.shift()
      if (this.#pending.length === 0) this.#worker.unref()
      onFree()
      pending?.done(done)
    })
    const end = (cause: string) => {
      if (this.#hasEnded) return
      this.#hasEnded = true
      const [over, ...behind] = this.#pending.splice(0)
      onEnd(this, { over, behind, folders: this.#folders, cause })
    }
    this.#worker.on("error", (cause) => end(cause instanceof Error ? cause.message : String(cause)))
    this.#worker.on("exit", (code) => end(`exit code ${code}`))
  }

  /** Jobs that it has not finished. */
  get waiting(): number {
    return this.#pending.length
  }

  has(folder: string): boolean {
    return this.#folders.has(folder)
  }

  ask(pending: PendingJob): void {
    if (pending.job._tag === "parse") this.#folders.add(pending.job.folder)
    else this.#folders.delete(pending.job.folder)
    this.#pending.push(pending)
    this.#worker.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(pending.job)
  }

  async stop(): Promise<void> {
    this.#hasEnded = true
    await this.#worker.terminate()
  }
}
