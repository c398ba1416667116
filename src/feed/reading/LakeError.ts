import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Effect, Schema } from "effect"
import { type Disk, onDisk } from "../disk/Disk.ts"
import { lakeMemory } from "../rows/memoryBound.ts"

/** Returns the memory limit that DuckDB exceeded, as DuckDB formats it (`953.6 MiB`); null for any other failure. */
export const memoryLacking = (cause: string): string | null =>
  /Out of Memory/i.test(cause) ? (/([\d.]+ \w+) used\)/.exec(cause)?.[1] ?? lakeMemory.memory_limit) : null

const laterDuckDB = /database file with version number \d+, but we can only read/

/** True if a later version of DuckDB wrote the lake. */
export const isLakeTooNew = (error: unknown): boolean =>
  error instanceof LakeError &&
  laterDuckDB.test(String(error.cause instanceof Error ? error.cause.message : error.cause))

/** True if a disk had no room. */
export const isDiskFull = (cause: string): boolean => /No space left|ENOSPC|EDQUOT/i.test(cause)

/** The start of the names of folders that a process makes for itself in the system's temporary folder. */
export const privateName = "cardlake-"

/** The next step for a full disk. `status` prints it, too, in the reason of a night. */
export const freeSpace = "Free space on the home's disk (cardlake status lists what can be deleted)"

const nextStep = (step: string, cause: string): string | null => {
  if (laterDuckDB.test(cause))
    return "lake.duckdb was written by a later version of Cardlake, with a later DuckDB. Update Cardlake, or choose another home with CARDLAKE_HOME or --home"
  if (isDiskFull(cause) && `${step} ${cause}`.includes(join(tmpdir(), privateName)))
    return `The disk is full. Free space in ${tmpdir()}, or name another folder with TMPDIR, then run it again; published data is unchanged`
  if (isDiskFull(cause)) return `The disk is full. ${freeSpace}, then run it again; the old lake is untouched`
  if (/Permission denied|EACCES|EROFS|read-only file system/i.test(cause))
    return "The home cannot be written to. Check its owner and permissions, or choose another with CARDLAKE_HOME"
  if (/not a valid DuckDB database file|Failed to load metadata|computed checksum/i.test(cause))
    return "lake.duckdb is damaged; the snapshots are not. Rebuild it from them with: cardlake doctor --repair"
  if (/ENOENT|No such file/i.test(cause))
    return "A file of the home is missing. If the home was deleted or moved, run the command again; else restore the file from a backup"
  const memory = memoryLacking(cause)
  if (memory !== null)
    return `This needs more memory than the ${memory} that DuckDB has here. Query less at once, or give the container more memory; published data is unchanged`
  if (
    /No files found|magic bytes|TProtocolException|converted type can only|Invalid data|Corrupt|to be a Parquet file|\.parquet|EISDIR|ENOTDIR|ELOOP|ENOTEMPTY/i.test(
      cause
    )
  )
    return "A file of the home is damaged, missing or not a file. Find it with: cardlake doctor; then restore it from a backup, or repair what can be repaired with: cardlake doctor --repair"
  return null
}

/** A step on files or in DuckDB failed. The message has the step, reason and remedy. The published state remains. */
export class LakeError extends Schema.TaggedError<LakeError>()("LakeError", {
  step: Schema.String,
  cause: Schema.Defect()
}) {
  override get message() {
    const cause = String(this.cause instanceof Error ? this.cause.message : this.cause)
    const [reason] = cause.split("\n")
    const next = nextStep(this.step, cause)
    return next === null ? `${this.step} failed: ${reason}` : `${next}. (${this.step}: ${reason})`
  }
}

/** Runs a promise of files or DuckDB; a failure becomes a {@link LakeError} of that step. */
export const lakeStep = <A>(step: string, run: (disk: Disk) => Promise<A>): Effect.Effect<A, LakeError> =>
  onDisk(run, (cause) => new LakeError({ step, cause }))
