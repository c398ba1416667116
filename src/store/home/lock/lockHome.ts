import { DateTime, Effect, Schedule, Schema } from "effect"
import type { Disk, OpenFile } from "../../../feed/disk/Disk.ts"
import { Fault } from "../../../feed/contract/Fault.ts"
import type { RunId } from "../../../feed/contract/Ids.ts"
import { Home } from "../Home.ts"
import { lakeStep, type LakeError } from "../../../feed/reading/LakeError.ts"
import { LockHolder, thisHolder, type FoundLock, lockStep, sweepClaims, takeLock } from "./takeLock.ts"

/** Another run writes to the home. */
export class HomeBusy extends Schema.TaggedError<HomeBusy>()("HomeBusy", { home: Schema.String, holder: LockHolder }) {
  override get message() {
    const { command, host, pid, startedAt } = this.holder
    return `${this.home} is locked by another ${command}, process ${pid} on ${host}, since ${startedAt}. Wait for it to finish, or stop it, then run this again`
  }
}

const isHeldLock = (disk: Disk, lock: string, file: OpenFile): boolean => {
  const there = disk.look(lock)
  const ours = file.look()
  return there?.inode === ours.inode && there.device === ours.device
}

const unlock = async (disk: Disk, lock: string, own: string, file: OpenFile): Promise<void> => {
  const ours = isHeldLock(disk, lock, file)
  await file.close()
  if (ours) await disk.removeFile(lock)
  await disk.removeFile(own)
}

// DuckDB's file lock does not suffice. A second instance in this process opens the file, and closing it unlocks the
// file for other processes. It neither notices that the file was deleted nor detects a dead run.

/** Exclusive write access to the home, until the scope closes. */
export interface HomeLock {
  /** Fails if this run no longer holds the lock; checked before every visible change. */
  readonly isOurs: Effect.Effect<void, Fault<"LockLost"> | LakeError>
  /** The lock of a dead run that this one replaced. */
  readonly dead: FoundLock | null
}

export const lockHome = (command: string, run: RunId) => Effect.flatMap(Home, (home) => lockFolder(home, command, run))

/**
 * Locks a folder for one writer and writes a heartbeat every few seconds. Takes over the lock of a dead process;
 * fails immediately with {@link HomeBusy} if the holder is alive.
 */
export const lockFolder = Effect.fn("lockHome")(function* (
  home: Record<"root" | "lock", string>,
  command: string,
  run: RunId
) {
  const holder = yield* thisHolder(command, run, DateTime.formatIso(yield* DateTime.now))
  const own = `${home.lock}.own-${holder.nonce}`
  const text = `${JSON.stringify(holder)}\n`
  const file = yield* Effect.acquireRelease(
    lakeStep(`Lock ${home.root}`, async (disk) => {
      const file = await disk.open(own, "wx")
      try {
        await file.write(text, 0)
        return file
      } catch (cause) {
        await file.close()
        await disk.removeFile(own)
        throw cause
      }
    }),
    (file) => Effect.ignore(lakeStep(`Unlock ${home.root}`, (disk) => unlock(disk, home.lock, own, file)))
  )
  const taken = yield* lockStep(home.root, (machine) => takeLock(machine, home.lock, own))
  if (taken.busy !== null) return yield* new HomeBusy({ home: home.root, holder: taken.busy })
  yield* lockStep(home.root, (machine) => sweepClaims(machine, home.lock, own))
  yield* Effect.ignore(lakeStep("Renew the lock", () => file.write(text, 0))).pipe(
    Effect.repeat(Schedule.spaced("5 seconds")),
    Effect.forkScoped
  )
  const isOurs = Effect.flatMap(
    lakeStep(`Check ${home.lock}`, async (disk) => isHeldLock(disk, home.lock, file)),
    (ours) =>
      ours
        ? Effect.void
        : new Fault(
            "LockLost",
            `${home.root} is no longer this run's: it was deleted or moved, or another run took it over. Nothing was published; see cardlake runs, then run it again`
          )
  )
  return { isOurs, dead: taken.dead } satisfies HomeLock
})
