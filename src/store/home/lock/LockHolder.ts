import { randomBytes } from "node:crypto"
import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import { Schema } from "effect"
import { RunId } from "../../../feed/contract/Ids.ts"

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

const textOrEmpty = (read: () => string): string => {
  try {
    return read().trim()
  } catch {
    return ""
  }
}

const machine = (): string =>
  [
    textOrEmpty(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
    textOrEmpty(() => readlinkSync("/proc/self/ns/pid"))
  ].join(" ")

/** Returns field 22 of `/proc/<pid>/stat`; the second field may contain spaces and brackets. */
const processStart = (pid: number): string =>
  textOrEmpty(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""
  })

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    // EPERM: another user's process is alive.
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}

/** This process as a holder. */
export const thisHolder = (command: string, run: RunId, startedAt: string): LockHolder => ({
  pid: process.pid,
  host: hostname(),
  machine: machine(),
  processStart: processStart(process.pid),
  command,
  run,
  startedAt,
  nonce: randomBytes(12).toString("hex")
})

/** True if the heartbeat is too old, or so far in the future that a wrong clock wrote it. */
const isSilent = (ageMillis: number): boolean => Math.abs(ageMillis) > staleAfterMillis

/** True if a holder is dead: by its process if that can be checked, else by the age of its heartbeat. */
export const isStale = (holder: LockHolder, ageMillis: number): boolean => {
  if (holder.host !== hostname() || holder.machine !== machine()) return isSilent(ageMillis)
  if (!isAlive(holder.pid)) return true
  if (holder.processStart === "") return isSilent(ageMillis)
  return processStart(holder.pid) !== holder.processStart
}
