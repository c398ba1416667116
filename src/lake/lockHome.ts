import { link, open, readdir, readFile, rename, rm, stat, type FileHandle } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { DateTime, Effect, Option, Schedule, Schema } from "effect"
import { Home } from "./Home.ts"
import type { LakeError } from "./LakeError.ts"
import { lakeStep } from "./LakeError.ts"
import { isStale, LockHolder, thisHolder } from "./LockHolder.ts"

/** Another run writes to the home. */
export class HomeBusy extends Schema.TaggedError<HomeBusy>()("HomeBusy", { home: Schema.String, holder: LockHolder }) {
  override get message() {
    const { command, host, pid, startedAt } = this.holder
    return `${this.home} is held by another ${command}, process ${pid} on ${host}, since ${startedAt}. Wait for it to end, or end it, then run this again`
  }
}

/** Somebody took the lock away: the home was deleted under the run, or the run stood still so long that it counted as dead. */
export class LockLost extends Schema.TaggedError<LockLost>()("LockLost", { home: Schema.String }) {
  override get message() {
    return `${this.home} is no longer this run's: it was deleted or moved, or another run took it over. Nothing was published; see cardlake runs, then run it again`
  }
}

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(LockHolder))
const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : ""

interface Found {
  readonly holder: LockHolder
  readonly ageMillis: number
}

/** A lock with the age of its last sign of life, by the clock of the disk that holds both files. Null when it is gone. */
const readLock = async (path: string, own: string): Promise<Found | null> => {
  try {
    const [text, seen, now] = await Promise.all([readFile(path, "utf8"), stat(path), stat(own)])
    const holder = Option.getOrElse(decode(text), () => unreadable(seen.mtime))
    return { holder, ageMillis: now.mtimeMs - seen.mtimeMs }
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return null
    throw cause
  }
}

/** A lock whose text was lost counts as one of another machine: its age decides. */
const unreadable = (since: Date): LockHolder => ({
  pid: 0,
  host: "an unknown host",
  machine: "unreadable",
  processStart: "",
  command: "run",
  run: "",
  startedAt: since.toISOString(),
  nonce: "unreadable"
})

/** Gives a file a second name unless that is taken: the one step of two starters that only one can do. */
const claim = async (own: string, path: string): Promise<boolean> => {
  try {
    await link(own, path)
    return true
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return false
    throw cause
  }
}

/**
 * Puts `own` in the place of `lock`, or answers who holds it. Every lock has a nonce, and a dead one is followed by exactly one claim,
 * `lock.after-<nonce>`; a dead claim by the next. Whoever makes the last claim replaces the lock, unless that was replaced meanwhile.
 */
const take = async (lock: string, own: string): Promise<LockHolder | null> => {
  if (await claim(own, lock)) return null
  const first = await readLock(lock, own)
  return first === null ? take(lock, own) : takeAfter(lock, own, first, first)
}

/** `last` is the last claim upon the lock `first`. */
const takeAfter = async (lock: string, own: string, first: Found, last: Found): Promise<LockHolder | null> => {
  if (!isStale(last.holder, last.ageMillis)) return last.holder
  const path = `${lock}.after-${last.holder.nonce}`
  if (!(await claim(own, path))) {
    const next = await readLock(path, own)
    return next === null ? take(lock, own) : takeAfter(lock, own, first, next)
  }
  const now = await readLock(lock, own)
  if (now?.holder.nonce === first.holder.nonce) {
    await rename(own, lock)
    return null
  }
  await rm(path, { force: true })
  return now === null ? take(lock, own) : now.holder
}

/** Removes claims, and files of starters that died; a starter still at it finds our lock and gives up. */
const sweep = async (lock: string, own: string): Promise<void> => {
  const beside = (await readdir(dirname(lock))).filter((name) => name.startsWith(`${basename(lock)}.`))
  await Promise.all(
    beside.map(async (name) => {
      const path = join(dirname(lock), name)
      const found = path === own ? null : await readLock(path, lock)
      const isOfLiveStarter = name.includes(".own-") && found !== null && !isStale(found.holder, found.ageMillis)
      if (!isOfLiveStarter) await rm(path, { force: true })
    })
  )
}

/** The right to write to the home, held until the scope closes. */
export interface HomeLock {
  /** Fails when the lock is no longer ours: to be asked before anything that readers see. */
  readonly isOurs: Effect.Effect<void, LockLost | LakeError>
}

/**
 * Takes the home for one writer. Fails at once with {@link HomeBusy}; the lock of a dead process is taken over. A sign of life goes to the
 * file every few seconds. Design: issue 3, one writer.
 */
export const lockHome = Effect.fn("lockHome")(function* (command: string, run: string) {
  const home = yield* Home
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
  const busy = yield* lakeStep(`Lock ${home.root}`, () => take(home.lock, own))
  if (busy !== null) return yield* new HomeBusy({ home: home.root, holder: busy })
  yield* lakeStep(`Lock ${home.root}`, () => sweep(home.lock, own))
  yield* Effect.ignore(lakeStep("Show life", () => handle.write(text, 0))).pipe(
    Effect.repeat(Schedule.spaced("5 seconds")),
    Effect.forkScoped
  )
  const isOurs = Effect.flatMap(
    lakeStep(`Look at ${home.lock}`, () => isLockOf(home.lock, handle)),
    (ours) => (ours ? Effect.void : new LockLost({ home: home.root }))
  )
  return { isOurs } satisfies HomeLock
})

const isLockOf = async (lock: string, handle: FileHandle): Promise<boolean> => {
  try {
    const [there, ours] = await Promise.all([stat(lock), handle.stat()])
    return there.ino === ours.ino && there.dev === ours.dev
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return false
    throw cause
  }
}

const unlock = async (lock: string, own: string, handle: FileHandle): Promise<void> => {
  const ours = await isLockOf(lock, handle)
  await handle.close()
  if (ours) await rm(lock, { force: true })
  await rm(own, { force: true })
}
