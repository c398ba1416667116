import { Effect, Schema } from "effect"
import { Processes } from "../../../feed/disk/Disk.ts"
import { randomHex } from "../../../feed/disk/random.ts"
import { RunId } from "../../../feed/contract/Ids.ts"

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

/** This process as a holder. */
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
