import { basename, dirname, join } from "node:path"
import { Effect, Option, Schema } from "effect"
import { RunId } from "../../../feed/contract/Ids.ts"
import { type Disk, modifiedMillis, onDisk, Processes, lookAt } from "../../../feed/disk/Disk.ts"
import { Fault } from "../../../feed/contract/Fault.ts"
import { LakeError } from "../../../feed/reading/LakeError.ts"
import { errorCode } from "../../../feed/disk/makeFolders.ts"
import { randomHex } from "../../../feed/disk/random.ts"

/** The command of a dry run, which is no night: it leaves no report, whatever happens to it. */
export const dryRunCommand = "dry run"

/** The process that locked a home: the content of `<home>/lock`. */
export const LockHolder = Schema.Struct({
  pid: Schema.Int,
  host: Schema.String,
  /** Boot and process namespace; `pid` can only be checked in the same one. Empty if the system does not provide it. */
  machine: Schema.String,
  /** Start of the process as the system reports it, to detect a reused pid. Empty if unavailable. */
  processStart: Schema.String,
  /** The command, e.g. `nightly`. */
  command: Schema.String,
  run: RunId,
  startedAt: Schema.String,
  /** Makes every lock unique; part of a file name. */
  nonce: Schema.String.check(Schema.isPattern(/^[0-9a-f]{24}$/))
})
export type LockHolder = typeof LockHolder.Type

/** Maximum age of the heartbeat of a process that cannot be checked; then it counts as dead. */
const staleAfterMillis = 60_000

export const thisHolder = Effect.fnUntraced(function* (command: string, run: RunId, startedAt: string) {
  const { boot, host, pid, startOf } = yield* Processes
  const nonce = yield* randomHex(12)
  return { pid, host, machine: boot(), processStart: startOf(pid), command, run, startedAt, nonce } satisfies LockHolder
})

/** True if the heartbeat is too old, or so far in the future that a wrong clock wrote it. */
const isSilent = (ageMillis: number): boolean => Math.abs(ageMillis) > staleAfterMillis

/** True if a holder is dead: by its process if that can be checked, else by the age of its heartbeat. */
export const isStale = (
  { boot, host, isAlive, startOf }: Processes,
  holder: LockHolder,
  ageMillis: number
): boolean => {
  if (holder.host !== host || holder.machine !== boot()) return isSilent(ageMillis)
  if (!isAlive(holder.pid)) return true
  if (holder.processStart === "") return isSilent(ageMillis)
  return startOf(holder.pid) !== holder.processStart
}

/** The path of a lock exists but is not a lock file. */
const notALock = (path: string, cause: string) =>
  new Fault(
    "NotALock",
    `${path} is not a readable lock: ${cause}. Make sure that nothing else uses the home, remove it, then run this again`
  )

export interface FoundLock {
  readonly holder: LockHolder
  /** Last heartbeat, and its age by the disk's clock. */
  readonly seenAt: Date
  readonly ageMillis: number
}

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(LockHolder))

/** Returns a holder on another machine for an unreadable lock, so that its age decides. */
const unreadable = (since: Date, inode: bigint): LockHolder => ({
  pid: 0,
  host: "an unknown host",
  machine: "unreadable",
  processStart: "",
  command: "run",
  run: RunId.make(""),
  startedAt: since.toISOString(),
  nonce: inode.toString(16).padStart(24, "0")
})

/** The services of this machine that a lock needs. */
interface Machine {
  readonly disk: Disk
  readonly processes: Processes
}

const isNotALock = (cause: unknown): cause is Fault<"NotALock"> => cause instanceof Fault && cause._tag === "NotALock"

export const lockStep = <A>(
  root: string,
  run: (machine: Machine) => Promise<A>
): Effect.Effect<A, LakeError | Fault<"NotALock">> =>
  Effect.flatMap(Processes, (processes) =>
    onDisk(
      (disk) => run({ disk, processes }),
      (cause) => (isNotALock(cause) ? cause : new LakeError({ step: `Lock ${root}`, cause }))
    )
  )

/** Reads a lock; null if it does not exist. Never opens a link or a pipe, because reading it may block. */
const readLock = async ({ disk }: Machine, path: string, own: string): Promise<FoundLock | null> => {
  try {
    const seen = disk.look(path, "links")
    if (seen === null) return null
    const now = lookAt(disk, own)
    if (seen.kind !== "file") {
      const kind = seen.kind === "other" ? "no file" : `a ${seen.kind}`
      throw notALock(path, `it is ${kind}`)
    }
    const text = await disk.readText(path)
    const seenAt = new Date(modifiedMillis(seen))
    const holder = Option.getOrElse(decode(text), () => unreadable(seenAt, seen.inode))
    return { holder, seenAt, ageMillis: modifiedMillis(now) - modifiedMillis(seen) }
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return null
    if (errorCode(cause) === "EACCES") throw notALock(path, "this user may not read it")
    throw cause
  }
}

/** Returns who holds a lock, and true if that process is dead; null if nobody does. Writes nothing. */
export const findHolder = async (machine: Machine, lock: string, nowMillis: number) => {
  const found = await readLock(machine, lock, lock)
  if (found === null) return null
  const { holder, seenAt } = found
  return { holder, isDead: isStale(machine.processes, holder, nowMillis - seenAt.getTime()) }
}

/** Creates a hard link unless the name exists, so that only one of two concurrent processes succeeds. */
const claim = async ({ disk }: Machine, own: string, path: string): Promise<boolean> => {
  try {
    await disk.link(own, path)
    return true
  } catch (cause) {
    if (errorCode(cause) === "EEXIST") return false
    throw cause
  }
}

/** Upper bound of steps, far above what any number of concurrent processes needs. */
const maxSteps = 200

/** The current holder if the home is busy; else the dead lock that this run replaced, if any. */
export type LockAttempt = { readonly busy: LockHolder } | { readonly busy: null; readonly dead: FoundLock | null }

/**
 * Puts `own` in place of `lock`, or returns its holder. Exactly one claim, `lock.after-<nonce>`, can follow a dead
 * lock or a dead claim. The last claimant replaces the lock if it has not changed.
 */
export const takeLock = async (machine: Machine, lock: string, own: string): Promise<LockAttempt> => {
  let first: FoundLock | null = null
  let last: FoundLock | null = null
  /* oxlint-disable no-await-in-loop -- each step depends on what the one before found */
  for (let step = 0; step < maxSteps; step++) {
    if (first === null || last === null) {
      if (await claim(machine, own, lock)) return { busy: null, dead: null }
      first = last = await readLock(machine, lock, own)
      continue
    }
    if (!isStale(machine.processes, last.holder, last.ageMillis)) return { busy: last.holder }
    const path = `${lock}.after-${last.holder.nonce}`
    if (!(await claim(machine, own, path))) {
      last = await readLock(machine, path, own)
      continue
    }
    const now = await readLock(machine, lock, own)
    if (now?.holder.nonce === first.holder.nonce) {
      await machine.disk.rename(own, lock)
      return { busy: null, dead: first }
    }
    await machine.disk.removeFile(path)
    if (now !== null) return { busy: now.holder }
    first = null
  }
  /* oxlint-enable no-await-in-loop */
  throw notALock(lock, "it and the claims to it lead nowhere")
}

/** Deletes claims and files of dead processes. A process that is still trying finds this lock and gives up. */
export const sweepClaims = async (machine: Machine, lock: string, own: string): Promise<void> => {
  const claims = (await machine.disk.list(dirname(lock))).filter(
    ({ name }) => name.startsWith(`${basename(lock)}.`) && /\.(own|after)-[0-9a-f]{24}$/.test(name)
  )
  await Promise.all(
    claims.map(async ({ name }) => {
      const path = join(dirname(lock), name)
      const found = path === own ? null : await readLock(machine, path, lock)
      const isOfLiveStarter =
        name.includes(".own-") && found !== null && !isStale(machine.processes, found.holder, found.ageMillis)
      if (!isOfLiveStarter) await machine.disk.removeFile(path)
    })
  )
}
