import { Cause, Effect, Exit, Layer } from "effect"
import { spawn } from "node:child_process"
import { utimesSync, writeFileSync } from "node:fs"
import { Home, homeIn } from "../../../src/store/home/Home.ts"
import { homePaths, type HomePaths } from "../../../src/store/home/homePaths.ts"
import { thisHolder, type LockHolder } from "../../../src/store/home/lock/takeLock.ts"
import { lockHome } from "../../../src/store/home/lock/lockHome.ts"
import { newFolder } from "../../support/suite.ts"
import { idOf } from "../lake/invented.ts"

/** An empty home that is removed with the scope. */
export const emptyHome = Effect.map(newFolder, homePaths)
export const lock = (home: HomePaths, run = idOf("run-2")) =>
  lockHome("nightly", run).pipe(Effect.provide(Layer.succeed(Home, homeIn(home.root))))
export const tryLock = (home: HomePaths) => Effect.exit(Effect.scoped(lock(home)))
export const reasonOf = (exit: Exit.Exit<unknown, Error>) =>
  Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : "taken"

/** Writes the lock that a killed run left. */
export const leave = (home: HomePaths, changes: Partial<LockHolder>, ageMillis = 0) => {
  const here = Effect.runSync(thisHolder("nightly", idOf("run-1"), "2026-01-01T03:00:00.000Z"))
  const holder: LockHolder = { ...here, ...changes }
  writeFileSync(home.lock, JSON.stringify(holder))
  const seenAt = (Date.now() - ageMillis) / 1000
  utimesSync(home.lock, seenAt, seenAt)
  return holder
}

/** A nonce that a test can name. */
export const nonce = (name: string) => Buffer.from(name).toString("hex").padStart(24, "0")

/** The id of a process that has ended. */
export const deadPid = Effect.promise(
  () =>
    new Promise<number>((resolve) => {
      const child = spawn(process.execPath, ["-e", ""])
      child.on("exit", () => resolve(child.pid ?? 0))
    })
)
