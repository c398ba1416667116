import { randomBytes } from "node:crypto"
import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import { Schema } from "effect"
import { RunId } from "../../../feed/contract/Ids.ts"

/** Who has locked a home: the content of `<home>/lock`. */
export const LockHolder = Schema.Struct({
  pid: Schema.Int,
  host: Schema.String,
  /**
   * Boot and process namespace: `pid` means something to us only if they are ours. Empty if the system does not say.
   */
  machine: Schema.String,
  /** When the process started, as the system states it: a reused pid has another. Empty if the system does not say. */
  processStart: Schema.String,
  /** What it does, such as `nightly`. */
  command: Schema.String,
  run: RunId,
  startedAt: Schema.String,
  /** Makes every lock unique, and is part of a file's name. */
  nonce: Schema.String.check(Schema.isPattern(/^[0-9a-f]{24}$/))
})
export type LockHolder = typeof LockHolder.Type

/** Without a sign of life for this long, a holder that we cannot check counts as dead. */
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

/** Field 22 of `/proc/<pid>/stat`; the second field may hold spaces and brackets. */
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
    // Another user's process, and alive.
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

/** A sign of life is rewritten every few seconds: one in the future was left by a wrong clock. */
const isSilent = (ageMillis: number): boolean => Math.abs(ageMillis) > staleAfterMillis

/** Whether a holder is gone: by its process if we can check that, else by the age of its last sign of life. */
export const isStale = (holder: LockHolder, ageMillis: number): boolean => {
  if (holder.host !== hostname() || holder.machine !== machine()) return isSilent(ageMillis)
  if (!isAlive(holder.pid)) return true
  if (holder.processStart === "") return isSilent(ageMillis)
  return processStart(holder.pid) !== holder.processStart
}
