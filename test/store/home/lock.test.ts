import { assert, describe } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { thisHolder, type LockHolder } from "../../../src/store/home/lock/takeLock.ts"
import { deadPid, emptyHome, leave, lock, nonce, reasonOf, tryLock } from "./locks.ts"
import { idOf } from "../lake/invented.ts"
import { live } from "../../support/suite.ts"

const program = (name: string, path: string) => spawnSync(name, [path])
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
      ...(yield* thisHolder("nightly", idOf("run-1"), "2026-01-01T03:01:00.000Z")),
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

  live("dated in the future is no sign of life, whether its holder is on another host or cannot be read", function* () {
    const home = yield* emptyHome
    leave(home, { host: "elsewhere" }, -3600_000)
    assert.strictEqual(reasonOf(yield* tryLock(home)), "taken")
    writeFileSync(home.lock, "")
    const tomorrow = Date.now() / 1000 + 24 * 3600
    utimesSync(home.lock, tomorrow, tomorrow)
    assert.strictEqual(reasonOf(yield* tryLock(home)), "taken")
    // A clock that is a little ahead does not mean that the run is dead.
    leave(home, { host: "elsewhere" }, -30_000)
    assert.include(reasonOf(yield* tryLock(home)), "on elsewhere")
  })

  live("is taken over even if a claim on it cannot be read", function* () {
    const home = yield* emptyHome
    const long = Date.now() / 1000 - 120
    writeFileSync(home.lock, "{")
    const claim = `${home.lock}.after-${statSync(home.lock).ino.toString(16).padStart(24, "0")}`
    writeFileSync(claim, "")
    for (const file of [home.lock, claim]) utimesSync(file, long, long)
    assert.strictEqual(reasonOf(yield* tryLock(home)), "taken")
    assert.deepStrictEqual(readdirSync(home.root), [])
  })

  const strange: Readonly<Record<string, (path: string) => unknown>> = {
    "a dangling link": (path) => symlinkSync("nowhere", path),
    "a link to a file": (path) => symlinkSync("/etc/hostname", path),
    "a link to itself": (path) => symlinkSync(path, path),
    "a folder": (path) => mkdirSync(path),
    "a named pipe": (path) => program("mkfifo", path)
  }
  for (const [what, make] of Object.entries(strange)) {
    live(`that is ${what} is named, with the next step, and not waited for; so is such a claim`, function* () {
      const home = yield* emptyHome
      make(home.lock)
      assert.match(reasonOf(yield* tryLock(home)), /\/lock is not a readable lock.*, remove it, then run this again$/)
      rmSync(home.lock, { recursive: true })
      const holder = leave(home, { host: "elsewhere" }, 61_000)
      make(`${home.lock}.after-${holder.nonce}`)
      assert.match(
        reasonOf(yield* tryLock(home)),
        /\/lock\.after-\w+ is not a readable lock.*, remove it, then run this again$/
      )
    })
  }

  const nobody = 65_534
  live.skipIf(!(process.geteuid?.() === 0))("that this user may not read is named, with the next step", () =>
    Effect.gen(function* () {
      const home = yield* emptyHome
      leave(home, {})
      chmodSync(home.lock, 0o600)
      chmodSync(home.root, 0o777)
      process.seteuid?.(nobody)
      const said = reasonOf(yield* tryLock(home))
      process.seteuid?.(0)
      assert.match(said, /\/lock is not a readable lock: this user may not read it\..*then run this again$/)
    }).pipe(Effect.ensuring(Effect.sync(() => process.seteuid?.(0))), Effect.scoped)
  )

  live("whose nonce is a path counts as unreadable, and nothing is written elsewhere", function* () {
    const home = yield* emptyHome
    mkdirSync(`${home.lock}.after-x`)
    leave(home, { host: "elsewhere", nonce: "x/../../stranger" }, 61_000)
    assert.strictEqual(reasonOf(yield* tryLock(home)), "taken")
    assert.deepStrictEqual(readdirSync(home.root), ["lock.after-x"])
  })

  live("leaves other people's files beside it alone", function* () {
    const home = yield* emptyHome
    const names = ["lock.after-party.jpg", "lock.own-notes", "lock.txt"]
    for (const name of names) writeFileSync(join(home.root, name), "mine")
    assert.strictEqual(reasonOf(yield* tryLock(home)), "taken")
    assert.deepStrictEqual(readdirSync(home.root).sort(), names)
  })
})
