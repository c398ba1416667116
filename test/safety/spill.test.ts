import { assert } from "@effect/vitest"
import { Effect, Layer, Scope } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { Processes } from "../../src/feed/disk/Disk.ts"
import { LakeError } from "../../src/feed/reading/LakeError.ts"
import { privateFolder } from "../../src/store/home/disk.ts"
import { Home, homeIn } from "../../src/store/home/Home.ts"
import { repairHome } from "../../src/store/lake/repair/repairHome.ts"
import { idOf } from "../store/lake/invented.ts"
import { live, newFolder } from "../support/suite.ts"

const hour = 3600 * 1000

live(
  "a run removes what ended processes have spilled, and nothing of a live one, however long it has been idle",
  function* () {
    const root = yield* newFolder
    const home = homeIn(root)
    const ended = spawnSync(process.execPath, ["-e", ""]).pid
    const folders = [
      [`spill-${hostname()}-${process.pid}`, 72 * hour],
      [`spill-${hostname()}-${ended}`, 0],
      ["spill-elsewhere-1", hour],
      ["spill-elsewhere-2", 25 * hour]
    ] as const
    for (const [name, age] of folders) {
      mkdirSync(home.work(name), { recursive: true })
      const idleSince = (Date.now() - age) / 1000
      utimesSync(home.work(name), idleSince, idleSince)
    }
    yield* repairHome(idOf("20260101T000000000Z-0000"), { games: {}, history: [] }).pipe(
      Effect.provide(Layer.succeed(Home, home))
    )
    assert.deepStrictEqual(readdirSync(home.work("")).sort(), [
      "spill-elsewhere-1",
      `spill-${hostname()}-${process.pid}`
    ])
  }
)

live(
  "a process removes the temporary folders of those that ended, and a full disk is that of these folders",
  function* () {
    const processes = yield* Processes
    const ended = spawnSync(process.execPath, ["-e", ""]).pid
    const makeAs = (pid: number) =>
      Effect.provideService(Scope.provide(privateFolder, Scope.makeUnsafe()), Processes, { ...processes, pid })
    const [left, ours] = [yield* makeAs(ended), yield* makeAs(processes.pid)]
    const own = yield* privateFolder
    assert.deepStrictEqual([left, ours, own].map(existsSync), [false, true, true])
    rmSync(ours, { recursive: true })
    const full = (step: string) =>
      new LakeError({ step, cause: new Error("ENOSPC: no space left on device, write") }).message
    assert.include(full(`Write ${own}/answer`), `Free space in ${tmpdir()}, or name another folder with TMPDIR`)
    assert.include(full("Write /home/lake/x"), "Free space on the home's disk")
  }
)
