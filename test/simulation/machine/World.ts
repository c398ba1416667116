import type { Disk } from "./Disk.ts"
import type { Random } from "./random.ts"
import { systemError } from "./systemError.ts"

/** A process that runs one command. When it is killed, nothing of it runs any more, and what it left stays. */
export interface Process {
  readonly pid: number
  readonly host: Host
  /** Milliseconds by which its wall clock is ahead. */
  readonly clockAhead: number
  state: "live" | "frozen" | "dead"
  /** Events that came while it was frozen. */
  readonly late: Array<Event>
  /** Operations so far, and what happens at one of them. */
  operations: number
  fault: Fault | null
}

export interface Host {
  readonly name: string
  readonly bootId: string
}

/** What happens to a process at one of its operations. */
export interface Fault {
  readonly kind: "kill" | "kill after" | "power loss" | "freeze" | "EIO" | "ENOSPC"
  /** The operation, counted from the start of the process. */
  readonly at: number
  /** How long a frozen one sleeps. */
  readonly millis: number
}

interface Event {
  at: number
  readonly order: number
  readonly process: Process | null
  readonly run: () => void
}

/** More than any command needs. */
export const maxOperations = 20_000

/** Kinds of operations that need space. */
const writing = new Set(["write", "open", "mkdir", "copyFile"])

/**
 * Everything outside the code under test: time, disks, processes, and the order in which their operations happen. The
 * order follows from the seed: each operation takes a random time, and the one that ends first happens first.
 */
export class World {
  now: number
  /** The process whose code runs at this moment. */
  current: Process | null = null
  readonly random: Random
  readonly disks = new Map<string, Disk>()
  readonly processes: Array<Process> = []
  readonly trace: Array<string> | null
  happened = 0
  /** Whoever directs the world wants to do something at this time. */
  aloneUntil = Number.POSITIVE_INFINITY
  #order = 0
  #heap: Array<Event> = []

  constructor(random: Random, startMillis: number, isTraced = false) {
    this.random = random
    this.now = startMillis
    this.trace = isTraced ? [] : null
  }

  log(text: string): void {
    this.trace?.push(`${new Date(this.now).toISOString()} ${text}`)
  }

  /** Operations of all processes. */
  get operations(): number {
    return this.processes.reduce((sum, process) => sum + process.operations, 0)
  }

  start(host: Host, clockAhead: number, fault: Fault | null): Process {
    const process: Process = {
      pid: 1000 + this.processes.length,
      host,
      clockAhead,
      state: "live",
      late: [],
      operations: 0,
      fault
    }
    this.processes.push(process)
    return process
  }

  /** Calls `run` after so long, unless the process is dead by then. */
  after(millis: number, process: Process | null, run: () => void): Event {
    const event: Event = { at: this.now + Math.max(0, millis), order: this.#order++, process, run }
    this.#push(event)
    return event
  }

  /**
   * Does an operation of the running process a little later. A dead process never gets its answer. Where no other process
   * runs, nothing can happen in between, so it happens at once.
   */
  operate<A>(kind: string, what: string, millis: number, act: () => A): Promise<A> {
    const process = this.current
    if (process !== null && this.#isUndisturbed(process)) {
      process.operations++
      this.now += millis * (0.5 + this.random.next())
      this.trace?.push(`${Math.floor(this.now % 1e8)} [${process.pid}#${process.operations}] ${kind} ${what}`)
      try {
        return Promise.resolve(act())
      } catch (cause) {
        return Promise.reject(cause)
      }
    }
    return new Promise((resolve, reject) => {
      this.after(millis * (0.5 + this.random.next()), process, () => {
        const fault = process === null ? null : this.#strike(process, kind, what)
        if (fault === "not done") return
        try {
          if (fault === "EIO" || fault === "ENOSPC") throw systemError(fault, what)
          const value = act()
          if (process?.state === "dead") return
          resolve(value)
        } catch (cause) {
          reject(cause)
        }
        if (fault === "kill after") this.kill(process)
      })
    })
  }

  #isUndisturbed({ fault, operations, state }: Process): boolean {
    if (state !== "live" || this.now >= this.aloneUntil || operations > maxOperations) return false
    if (fault !== null && operations + 1 >= fault.at) return false
    return this.processes.every((one) => one.state === "dead" || one === this.current)
  }

  #strike(process: Process, kind: string, what: string): Fault["kind"] | "not done" | null {
    process.operations++
    const { fault } = process
    this.trace?.push(`${Math.floor(this.now % 1e8)} [${process.pid}#${process.operations}] ${kind} ${what}`)
    if (fault === null || process.operations < fault.at) return null
    if (fault.kind === "ENOSPC" && !writing.has(kind)) return null
    // A known limit: nothing can stop a process that wakes right between the check of its lock and the commit.
    if (fault.kind === "freeze" && what.includes("/current.json")) return null
    process.fault = null
    this.log(`${fault.kind} of ${process.pid} at ${kind} ${what}`)
    if (fault.kind === "kill") this.kill(process)
    if (fault.kind === "power loss") this.losePower(process.host)
    if (fault.kind === "freeze") this.freeze(process, fault.millis)
    return process.state === "dead" ? "not done" : fault.kind
  }

  kill(process: Process | null): void {
    if (process === null) return
    process.state = "dead"
    process.late.length = 0
  }

  /** The machine of a host and its disks stop at once; what was not flushed may be lost. */
  losePower(host: Host): void {
    for (const one of this.processes) if (one.host === host) this.kill(one)
    for (const [name, disk] of this.disks)
      if (name.startsWith(`${host.name}/`) || name === "home") disk.losePower(this.random)
  }

  /** A frozen process does nothing until it wakes: its machine sleeps, or it was stopped. */
  freeze(process: Process, millis: number): void {
    process.state = "frozen"
    this.after(millis, null, () => {
      if (process.state !== "frozen") return
      process.state = "live"
      for (const event of process.late.splice(0)) this.#push({ ...event, at: this.now })
    })
  }

  /** Lets the next event happen. False: there is none. */
  async step(): Promise<boolean> {
    const event = this.#pop()
    if (event === undefined) return false
    this.now = Math.max(this.now, event.at)
    const { process } = event
    if (process?.state === "dead") return true
    if (process?.state === "frozen") {
      process.late.push(event)
      return true
    }
    this.happened++
    this.current = process
    event.run()
    await settled()
    this.current = null
    return true
  }

  /** Forgets events, so that nothing happens any more. */
  stop(): void {
    for (const process of this.processes) this.kill(process)
    this.#heap = []
  }

  #push(event: Event): void {
    const heap = this.#heap
    let at = heap.push(event) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || isBefore(parent, event)) break
      heap[at] = parent
      at = above
    }
    heap[at] = event
  }

  #pop(): Event | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      const [left, right] = [heap[below], heap[below + 1]]
      if (left === undefined) break
      const child = right !== undefined && isBefore(right, left) ? right : left
      if (child === right) below++
      if (isBefore(last, child)) break
      heap[at] = child
      at = below
    }
    heap[at] = last
    return first
  }
}

const isBefore = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)

/** Resolves once the code that was resumed has come to its next operation: until then it uses microtasks alone. */
export const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

/** The world in which code runs now. The replaced modules of Node ask it. */
export const here: { world: World | null } = { world: null }

export const worldHere = (): World => {
  if (here.world === null) throw new Error("no world is running")
  return here.world
}

export const processHere = (): Process => {
  const { current } = worldHere()
  if (current === null) throw new Error("no process is running")
  return current
}
