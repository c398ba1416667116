import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gameId } from "../store/lake/invented.ts"
import { assertFault, cardlake, json, main, node } from "../pipelines/cli.ts"
import { tinyMarketplace, type TinyHome } from "./tinyNights.ts"
import { live } from "../support/suite.ts"

const done = (home: TinyHome, ...args: ReadonlyArray<string>) =>
  Effect.promise(() => cardlake(args, { env: home.settings }))

/** Comes with util-linux: it gives a program a terminal. */
const terminalProgram = "script"
const hasTerminal = spawnSync(terminalProgram, ["--version"]).status === 0

/** On a terminal, a rollback names both snapshots; who says no has changed nothing. */
const asksBefore = Effect.fnUntraced(function* (home: TinyHome, published: ReadonlyArray<string>) {
  if (!hasTerminal) return
  const command = `"${node}" "${main}" rollback ${gameId}`
  const terminal = spawn(terminalProgram, ["-qec", `stty cols 200; ${command}`, "/dev/null"], {
    env: { ...process.env, ...home.settings },
    stdio: ["pipe", "pipe", "inherit"]
  })
  let shown = ""
  terminal.stdout.setEncoding("utf8").on("data", (text: string) => {
    const isAsked = shown.includes("(y/N)")
    shown += text
    // Once: what is shown after the answer may be the end.
    if (!isAsked && shown.includes("(y/N)")) terminal.stdin.write("n")
  })
  const [code] = (yield* Effect.promise(() => once(terminal, "close"))) as [number]
  assert.include(shown, `take back ${published[1]}, and publish ${published[0]} again?`)
  assert.include(shown, "Nothing was changed")
  assert.strictEqual(code, 1)
  assert.strictEqual((yield* home.current).games[gameId]?.snapshot, published[1])
})

describe("commands of one home", () => {
  live(
    "a night leaves alone what another one writes before it finds the home locked, and sets an old one aside",
    function* () {
      const { newHome } = yield* tinyMarketplace()
      const home = yield* newHome
      yield* home.night
      const starters = [".probe-4711", "cardlake.json.0123abcd.part"]
      for (const name of starters) writeFileSync(join(home.root, name), "")
      assert.isUndefined((yield* home.night).setAside)
      const before = new Date(Date.now() - 61_000)
      for (const name of starters) utimesSync(join(home.root, name), before, before)
      assert.deepStrictEqual([...((yield* home.night).setAside ?? [])].sort(), starters)
    }
  )

  live.full(
    "release, rollback, replay and prune say what they did, or why they did nothing, with their exit codes",
    function* () {
      const { deploy, newHome } = yield* tinyMarketplace()
      const home = yield* newHome
      yield* home.night
      yield* deploy
      yield* home.night
      const published = (yield* home.current).games[gameId]?.published ?? []

      for (const command of [
        ["release", gameId],
        ["rollback", gameId],
        ["collection", "remove", "mine"]
      ])
        assertFault(yield* done(home, ...command), 2, /\. Needs confirmation: add --yes$/)
      assertFault(yield* done(home, "release", gameId, "--yes"), 1, /no held snapshot.*cardlake snapshots$/)
      for (const [command = "", ...more] of [
        ["compact"],
        ["diff"],
        ["replay"],
        ["release", "--yes"],
        ["rollback", "--yes"]
      ])
        assertFault(yield* done(home, command, "nothing", ...more), 2, /The lake has no game nothing\. It has: \w/)
      assertFault(yield* done(home, "prune"), 2, /Say what to keep: --keep-days N/)
      assert.match(
        (yield* done(home, "prune", "--keep-last", "1")).stdout,
        /^Nothing to delete: the rules keep everything in this home/
      )
      const replayed = yield* done(home, "replay", gameId)
      assert.match(replayed.stdout, new RegExp(`snapshot ${published[1]} rebuilt.*identical, byte for byte`))
      yield* asksBefore(home, published)
      const back = json(yield* done(home, "rollback", gameId, "--yes", "--why", "a test", "--json"))
      assert.deepInclude(back, { kind: "rollback", snapshot: published[0], before: published[1], why: "a test" })
    }
  )
})
