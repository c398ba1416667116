import { getCompileCacheDir } from "node:module"
import { dirname } from "node:path"
import { Worker } from "node:worker_threads"
import { type Done, type Job, type ThreadData, makeThreadWork } from "./threadWork.ts"
import { availableParallelism } from "node:os"
import { availableBytes } from "./memoryBound.ts"
import { collectGarbage } from "../client/collectGarbage.ts"

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

/** Memory that a thread needs, with the pages it is working on. */
const bytesOfThread = 250e6

/** The maximum number of threads that parse pages on this machine. */
export const usualThreads = Math.max(1, Math.min(availableParallelism(), Math.floor(availableBytes / bytesOfThread)))

/** The jobs that a thread holds, so that the next one is ready when one ends. */
const jobsAtOnce = 2

/** The pool of the process. It is shared because the cores are. */
const threads = new Set<PageThread>()
const queue: Array<PendingJob> = []
const lostRounds = new Set<string>()
const rounds = new Set<string>()
const workHere = makeThreadWork("here")
let names = 0
let parsedHere = 0

/** Pages of rounds at the same time after which other threads pay in any case, however small the games are. */
const maxHere = 128

/** True if this thread parses a page of a short list, because no other thread runs, and few pages were parsed. */
export const mayStayHere = (): boolean => threads.size === 0 && parsedHere < maxHere

const hand = (most: number): void => {
  while (queue.length > 0) {
    const [freest] = [...threads].sort((a, b) => a.waiting - b.waiting)
    if ((freest === undefined || freest.waiting > 0) && threads.size < most) {
      threads.add(startThread(most))
      continue
    }
    if (freest === undefined || freest.waiting >= jobsAtOnce) return
    const next = queue.shift()
    if (next !== undefined) freest.ask(next)
  }
}

const startThread = (most: number): PageThread =>
  new PageThread(
    String(++names),
    () => hand(most),
    (thread, { behind, cause, folders, over }) => {
      threads.delete(thread)
      for (const folder of folders) lostRounds.add(folder)
      queue.unshift(...behind)
      over?.done({ _tag: "threw", cause })
      hand(most)
    }
  )

/** Has a job done by whichever thread is free; by this one if there are no others. */
export const askThread = (job: Job, most: number): Promise<Done> => {
  if (most === 0) {
    parsedHere += 1
    return Promise.resolve().then(() => workHere(job))
  }
  return new Promise((done) => {
    queue.push({ job, done })
    hand(most)
  })
}

const askAll = async (job: Extract<Job, { readonly folder: string }>): Promise<ReadonlyArray<Done>> => {
  const holders = [...threads].filter((thread) => thread.has(job.folder))
  const answers = holders.map(
    (thread) =>
      new Promise<Done>((done) => {
        thread.ask({ job, done })
      })
  )
  return [workHere(job), ...(await Promise.all(answers))]
}

/** Writes every row of a round. Returns the reason if a thread ended or could not write; null if all are written. */
export const endRound = async (folder: string): Promise<string | null> => {
  const done = await askAll({ _tag: "end", folder })
  const causes = done.flatMap((one) => (one._tag === "parsed" || one.cause === null ? [] : [one.cause]))
  return causes[0] ?? (lostRounds.has(folder) ? "a thread ended" : null)
}

const dropRound = (folder: string): Promise<unknown> => {
  for (let at = queue.length - 1; at >= 0; at--) if (queue[at]?.job.folder === folder) queue.splice(at, 1)
  return askAll({ _tag: "drop", folder })
}

/** Begins a round in this folder, and discards the rest of an earlier one. */
export const beginRound = async (folder: string): Promise<void> => {
  rounds.add(folder)
  await dropRound(folder)
  lostRounds.delete(folder)
}

/** Releases a round. After the last release, the threads end and free their memory, because DuckDB needs it. */
export const leaveRound = async (folder: string): Promise<void> => {
  void dropRound(folder)
  rounds.delete(folder)
  lostRounds.delete(folder)
  if (rounds.size > 0) return
  parsedHere = 0
  if (threads.size === 0) return
  const ended = [...threads].map((thread) => thread.stop())
  threads.clear()
  await Promise.all(ended)
  collectGarbage()
}
