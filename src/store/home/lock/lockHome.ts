import { open, rm, stat, type FileHandle } from "node:fs/promises"
import { DateTime, Effect, Schedule, Schema } from "effect"
import type { RunId } from "../../../feed/contract/Ids.ts"
import { Home } from "../Home.ts"
import { lakeStep, type LakeError } from "../../../feed/reading/LakeError.ts"
import { LockHolder, thisHolder } from "./LockHolder.ts"
import { type FoundLock, NotALock, sweepClaims, takeLock } from "./takeLock.ts"
import { codeOf } from "../disk.ts"

/** Another run writes to the home. */
export class HomeBusy extends Schema.TaggedError<HomeBusy>()("HomeBusy", { home: Schema.String, holder: LockHolder }) {
  override get message() {
    const { command, host, pid, startedAt } = this.holder
    return `${this.home} is locked by another ${command}, process ${pid} on ${host}, since ${startedAt}. Wait for it to finish, or stop it, then run this again`
  }
}

/** The run no longer holds the lock: the home was deleted, or the run was suspended so long that it counted as dead. */
export class LockLost extends Schema.TaggedError<LockLost>()("LockLost", { home: Schema.String }) {
  override get message() {
    return `${this.home} is no longer this run's: it was deleted or moved, or another run took it over. Nothing was published; see cardlake runs, then run it again`
  }
}

const isHeldLock = async (lock: string, handle: FileHandle): Promise<boolean> => {
  try {
    const [there, ours] = await Promise.all([stat(lock), handle.stat()])
    return there.ino === ours.ino && there.dev === ours.dev
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return false
    throw cause
  }
}

const unlock = async (lock: string, own: string, handle: FileHandle): Promise<void> => {
  const ours = await isHeldLock(lock, handle)
  await handle.close()
  if (ours) await rm(lock, { force: true })
  await rm(own, { force: true })
}

const lockStep = <A>(home: Lockable, run: () => Promise<A>): Effect.Effect<A, LakeError | NotALock> =>
  Effect.mapError(lakeStep(`Lock ${home.root}`, run), (error) =>
    error.cause instanceof NotALock ? error.cause : error
  )

// DuckDB's file lock does not suffice. A second instance in this process opens the file, and closing it unlocks the
// file for other processes. It neither notices that the file was deleted nor detects a dead run.

/** Exclusive write access to the home, until the scope closes. */
export interface HomeLock {
  /** Fails if this run no longer holds the lock; checked before every visible change. */
  readonly isOurs: Effect.Effect<void, LockLost | LakeError>
  /** The lock of a dead run that this one replaced. */
  readonly dead: FoundLock | null
}

export interface Lockable {
  readonly root: string
  readonly lock: string
}

/** Locks the home for one writer. */
export const lockHome = (command: string, run: RunId) => Effect.flatMap(Home, (home) => lockFolder(home, command, run))

/**
 * Locks a folder for one writer and writes a heartbeat every few seconds. Takes over the lock of a dead process;
 * fails immediately with {@link HomeBusy} if the holder is alive.
 */
export const lockFolder = Effect.fn("lockHome")(function* (home: Lockable, command: string, run: RunId) {
  const holder = thisHolder(command, run, DateTime.formatIso(yield* DateTime.now))
  const own = `${home.lock}.own-${holder.nonce}`
  const text = `${JSON.stringify(holder)}\n`
  const handle = yield* Effect.acquireRelease(
    lakeStep(`Lock ${home.root}`, async () => {
      const handle = await open(own, "wx+")
      try {
        await handle.writeFile(text)
        return handle
      } catch (cause) {
        await handle.close()
        await rm(own, { force: true })
        throw cause
      }
    }),
    (handle) => Effect.ignore(lakeStep(`Unlock ${home.root}`, () => unlock(home.lock, own, handle)))
  )
  const taken = yield* lockStep(home, () => takeLock(home.lock, own))
  if (taken.busy !== null) return yield* new HomeBusy({ home: home.root, holder: taken.busy })
  yield* lockStep(home, () => sweepClaims(home.lock, own))
  yield* Effect.ignore(lakeStep("Renew the lock", () => handle.write(text, 0))).pipe(
    Effect.repeat(Schedule.spaced("5 seconds")),
    Effect.forkScoped
  )
  const isOurs = Effect.flatMap(
    lakeStep(`Check ${home.lock}`, () => isHeldLock(home.lock, handle)),
    (ours) => (ours ? Effect.void : new LockLost({ home: home.root }))
  )
  return { isOurs, dead: taken.dead } satisfies HomeLock
})
