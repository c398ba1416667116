import { assert, describe } from "@effect/vitest"
import { Effect, Fiber, Logger } from "effect"
import { spawnSync } from "node:child_process"
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { emptyHome, leave, reasonOf, tryLock } from "./locks.ts"
import { effect, live } from "../../support/suite.ts"
import { setTimeout } from "node:timers/promises"
import { TestClock } from "effect/testing"
import { BucketSettings } from "../../../src/store/home/bucket/BucketSettings.ts"
import { openStore } from "../../../src/store/home/bucket/BucketStore.ts"
import { swapDocument } from "../../../src/store/home/bucket/bucketDocuments.ts"
import { lakeKey } from "../../../src/store/home/bucket/bucketKeys.ts"
import { emptyLake } from "../../../src/store/home/bucket/checkOut.ts"
import { LakeDocument } from "../../../src/store/home/bucket/documents.ts"
import { withVariables } from "../../warehouse/Store.ts"
import { startConditionalStore } from "./conditionalStore.ts"

const program = (name: string, path: string) => spawnSync(name, [path])

describe("a lock", () => {
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

effect("whoever waits ten seconds because others write a document says so, once, and goes on", () =>
  Effect.gen(function* () {
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => startConditionalStore()),
      (one) => Effect.promise(() => one.stop())
    )
    yield* withVariables(server.env)
    const store = yield* openStore("s3://lakes/busy")
    const told: Array<string> = []
    let refused = 0
    server.state.before = ({ method }, response) => {
      if (method !== "PUT" || refused === 12) return false
      refused++
      response.writeHead(412).end("<Error><Code>PreconditionFailed</Code></Error>")
      return true
    }
    const swap = swapDocument(store, lakeKey, LakeDocument, () => Effect.succeed(emptyLake)).pipe(
      Effect.provide(Logger.layer([Logger.make(({ message }) => void told.push(String(message)))]))
    )
    const swapping = yield* Effect.forkChild(swap)
    for (let steps = 0; steps < 500 && swapping.pollUnsafe() === undefined; steps++) {
      yield* TestClock.adjust("200 millis")
      yield* Effect.promise(() => setTimeout(5))
    }
    assert.deepStrictEqual((yield* Fiber.join(swapping))?.games, {})
    assert.deepStrictEqual(told, [
      "Others write s3://lakes/busy/lake.json at the same time. It is tried again, for two minutes"
    ])
  }).pipe(Effect.provideService(BucketSettings, { pathStyle: true, encryption: {} }), Effect.scoped)
)
