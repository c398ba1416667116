import { assert, describe } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { thisHolder, type LockHolder } from "../../../src/store/home/lock/LockHolder.ts"
import { deadPid, emptyHome, leave, lock, nonce, reasonOf, tryLock } from "./locks.ts"
import { idOf } from "../lake/invented.ts"
import { live } from "../../support/suite.ts"

const isOn = process.platform === "linux"

describe("the lock of a home", () => {
  live("lets no other run in, and says who has it and since when", function* () {
    const home = yield* emptyHome
    yield* lock(home, idOf("run-1"))
    const { startedAt, host } = JSON.parse(readFileSync(home.lock, "utf8")) as LockHolder
    const said = reasonOf(yield* tryLock(home))
    for (const word of [home.root, "nightly", `process ${process.pid} on ${host}`, startedAt, "run this again"])
      assert.include(said, word)
  })

  live("is gone when its run ends, and leaves nothing behind", function* () {
    const home = yield* emptyHome
    yield* Effect.scoped(lock(home))
    yield* Effect.scoped(lock(home))
    assert.deepStrictEqual(readdirSync(home.root), [])
  })

  live("does not keep other homes out", function* () {
    yield* lock(yield* emptyHome)
    assert.strictEqual(reasonOf(yield* tryLock(yield* emptyHome)), "taken")
  })

  live("is taken over from a process that is dead", function* () {
    const home = yield* emptyHome
    leave(home, { pid: yield* deadPid })
    assert.strictEqual(reasonOf(yield* tryLock(home)), "taken")
    assert.deepStrictEqual(readdirSync(home.root), [])
  })

  live.skipIf(!isOn)("is taken over where another process has the dead one's id", function* () {
    const home = yield* emptyHome
    leave(home, { processStart: "1" })
    assert.strictEqual(reasonOf(yield* tryLock(home)), "taken")
  })

  live("of another host is taken over after a minute without a sign of life, not before", function* () {
    const home = yield* emptyHome
    leave(home, { host: "elsewhere", nonce: nonce("a") }, 50_000)
    assert.include(reasonOf(yield* tryLock(home)), "on elsewhere, since 2026-01-01T03:00:00.000Z")
    leave(home, { host: "elsewhere", nonce: nonce("b") }, 61_000)
    assert.strictEqual(reasonOf(yield* tryLock(home)), "taken")
  })

  live("without a readable holder is judged by its age", function* () {
    const home = yield* emptyHome
    writeFileSync(home.lock, "")
    assert.include(reasonOf(yield* tryLock(home)), "an unknown host")
    const long = Date.now() / 1000 - 120
    utimesSync(home.lock, long, long)
    assert.strictEqual(reasonOf(yield* tryLock(home)), "taken")
  })

  live("survives the death of the run that was taking it over", function* () {
    const home = yield* emptyHome
    const pid = yield* deadPid
    leave(home, { pid, nonce: nonce("first") })
    const second = JSON.stringify({
      ...thisHolder("nightly", idOf("run-1"), "2026-01-01T03:01:00.000Z"),
      pid,
      nonce: nonce("second")
    })
    for (const name of [`lock.after-${nonce("first")}`, `lock.own-${nonce("second")}`])
      writeFileSync(join(home.root, name), second)
    assert.strictEqual(reasonOf(yield* tryLock(home)), "taken")
    assert.deepStrictEqual(readdirSync(home.root), [])
  })

  live("goes to exactly one of many runs that start at once, with or without a dead holder", function* () {
    const home = yield* emptyHome
    const pid = yield* deadPid
    for (let round = 0; round < 40; round++) {
      if (round % 2 === 0) leave(home, { pid, nonce: nonce(`round-${round}`) })
      const winners = yield* Effect.scoped(
        Effect.map(
          Effect.forEach(Array.from({ length: 8 }), () => Effect.exit(lock(home)), { concurrency: "unbounded" }),
          (exits) => exits.filter(Exit.isSuccess).length
        )
      )
      assert.strictEqual(winners, 1, `round ${round}`)
    }
    assert.deepStrictEqual(readdirSync(home.root), [])
  })

  live("is known to be lost when the home is deleted or another run has it", function* () {
    const home = yield* emptyHome
    const held = yield* lock(home)
    yield* held.isOurs
    leave(home, { nonce: nonce("another") })
    rmSync(home.lock)
    leave(home, { nonce: nonce("another") })
    assert.include(reasonOf(yield* Effect.exit(held.isOurs)), "no longer this run's")
    assert.isTrue(existsSync(home.lock))
    rmSync(home.root, { recursive: true })
    assert.include(reasonOf(yield* Effect.exit(held.isOurs)), "Nothing was published")
  })
})
