import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Home } from "../../src/lake/Home.ts"
import { homePaths } from "../../src/lake/homePaths.ts"
import { thisHolder, type LockHolder } from "../../src/lake/LockHolder.ts"
import { lockHome } from "../../src/lake/lockHome.ts"

const emptyHome = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "cardlake-lock-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ),
  homePaths
)
type HomePaths = Effect.Success<typeof emptyHome>

const lock = (home: HomePaths, run = "run-2") =>
  lockHome("nightly", run).pipe(Effect.provide(Layer.succeed(Home, home)))
const tryLock = (home: HomePaths) => Effect.exit(Effect.scoped(lock(home)))
const reasonOf = (exit: Exit.Exit<unknown, Error>) =>
  Exit.isFailure(exit) ? String(Cause.squash(exit.cause)) : "taken"

/** A lock as a run left it that did not end by itself. */
const leave = (home: HomePaths, changes: Partial<LockHolder>, ageMillis = 0) => {
  const holder = { ...thisHolder("nightly", "run-1", "2026-01-01T03:00:00.000Z"), ...changes }
  writeFileSync(home.lock, JSON.stringify(holder))
  const seenAt = (Date.now() - ageMillis) / 1000
  utimesSync(home.lock, seenAt, seenAt)
  return holder
}

/** The id of a process that has ended. */
const deadPid = Effect.promise(
  () =>
    new Promise<number>((resolve) => {
      const child = spawn(process.execPath, ["-e", ""])
      child.on("exit", () => resolve(child.pid ?? 0))
    })
)

const isOn = process.platform === "linux"

describe("the lock of a home", () => {
  it.live("lets nobody else in and says who holds it since when", () =>
    Effect.gen(function* () {
      const home = yield* emptyHome
      yield* lock(home, "run-1")
      const { startedAt, host } = JSON.parse(readFileSync(home.lock, "utf8")) as LockHolder
      const said = reasonOf(yield* tryLock(home))
      for (const word of [home.root, "nightly", `process ${process.pid} on ${host}`, startedAt, "run this again"])
        assert.include(said, word)
    }).pipe(Effect.scoped)
  )

  it.live("is gone when its run ends, and leaves nothing behind", () =>
    Effect.gen(function* () {
      const home = yield* emptyHome
      yield* Effect.scoped(lock(home))
      yield* Effect.scoped(lock(home))
      assert.deepStrictEqual(readdirSync(home.root), [])
    }).pipe(Effect.scoped)
  )

  it.live("does not keep other homes out", () =>
    Effect.gen(function* () {
      yield* lock(yield* emptyHome)
      assert.strictEqual(reasonOf(yield* tryLock(yield* emptyHome)), "taken")
    }).pipe(Effect.scoped)
  )

  it.live("is taken over from a process that is dead", () =>
    Effect.gen(function* () {
      const home = yield* emptyHome
      leave(home, { pid: yield* deadPid })
      assert.strictEqual(reasonOf(yield* tryLock(home)), "taken")
      assert.deepStrictEqual(readdirSync(home.root), [])
    }).pipe(Effect.scoped)
  )

  it.live.runIf(isOn)("is taken over where another process has the dead one's id", () =>
    Effect.gen(function* () {
      const home = yield* emptyHome
      leave(home, { processStart: "1" })
      assert.strictEqual(reasonOf(yield* tryLock(home)), "taken")
    }).pipe(Effect.scoped)
  )

  it.live("of another host is taken over after a minute without a sign of life, not before", () =>
    Effect.gen(function* () {
      const home = yield* emptyHome
      leave(home, { host: "elsewhere", nonce: "a" }, 50_000)
      assert.include(reasonOf(yield* tryLock(home)), "on elsewhere, since 2026-01-01T03:00:00.000Z")
      leave(home, { host: "elsewhere", nonce: "b" }, 61_000)
      assert.strictEqual(reasonOf(yield* tryLock(home)), "taken")
    }).pipe(Effect.scoped)
  )

  it.live("without a readable holder is held by its age", () =>
    Effect.gen(function* () {
      const home = yield* emptyHome
      writeFileSync(home.lock, "")
      assert.include(reasonOf(yield* tryLock(home)), "an unknown host")
      const long = Date.now() / 1000 - 120
      utimesSync(home.lock, long, long)
      assert.strictEqual(reasonOf(yield* tryLock(home)), "taken")
    }).pipe(Effect.scoped)
  )

  it.live("survives the death of whoever was taking it over", () =>
    Effect.gen(function* () {
      const home = yield* emptyHome
      const pid = yield* deadPid
      leave(home, { pid, nonce: "first" })
      const second = JSON.stringify({
        ...thisHolder("nightly", "run-1", "2026-01-01T03:01:00.000Z"),
        pid,
        nonce: "second"
      })
      for (const name of ["lock.after-first", "lock.own-second"]) writeFileSync(join(home.root, name), second)
      assert.strictEqual(reasonOf(yield* tryLock(home)), "taken")
      assert.deepStrictEqual(readdirSync(home.root), [])
    }).pipe(Effect.scoped)
  )

  it.live("goes to exactly one of many starters, dead holder or none", () =>
    Effect.gen(function* () {
      const home = yield* emptyHome
      const pid = yield* deadPid
      for (let round = 0; round < 40; round++) {
        if (round % 2 === 0) leave(home, { pid, nonce: `round-${round}` })
        const winners = yield* Effect.scoped(
          Effect.map(
            Effect.forEach(Array.from({ length: 8 }), () => Effect.exit(lock(home)), { concurrency: "unbounded" }),
            (exits) => exits.filter(Exit.isSuccess).length
          )
        )
        assert.strictEqual(winners, 1, `round ${round}`)
      }
      assert.deepStrictEqual(readdirSync(home.root), [])
    }).pipe(Effect.scoped)
  )

  it.live("is known to be lost when the home is deleted or another run has it", () =>
    Effect.gen(function* () {
      const home = yield* emptyHome
      const held = yield* lock(home)
      yield* held.isOurs
      leave(home, { nonce: "another" })
      rmSync(home.lock)
      leave(home, { nonce: "another" })
      assert.include(reasonOf(yield* Effect.exit(held.isOurs)), "no longer this run's")
      assert.isTrue(existsSync(home.lock))
      rmSync(home.root, { recursive: true })
      assert.include(reasonOf(yield* Effect.exit(held.isOurs)), "Nothing was published")
    }).pipe(Effect.scoped)
  )
})
