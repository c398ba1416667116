import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { main, node, start } from "./pipelines/cli.ts"

/** The steps that kill: those with these names, or every n-th that a run has. */
export type Kills = ReadonlyArray<string> | number

/**
 * Kills a run at each of these steps, until one ends before it comes to its step: `kill` is then false. No number of
 * steps is known beforehand, as it differs from run to run. Returns how many were killed.
 */
export const eachKill = Effect.fnUntraced(function* <E, R>(
  kills: Kills,
  kill: (at: string) => Effect.Effect<boolean, E, R>,
  concurrency = 1
) {
  let [begun, killed, isOver] = [0, 0, false]
  const killSome = Effect.gen(function* () {
    while (!isOver) {
      begun++
      const at = typeof kills === "number" ? String(begun * kills) : kills[begun - 1]
      if (at !== undefined && (yield* kill(at))) killed++
      else isOver = true
    }
  })
  yield* Effect.all(
    Array.from({ length: concurrency }, () => killSome),
    { concurrency }
  )
  return killed
})

/** Runs a command that is killed before such a step. Returns where that was; null: it ended well before. */
export const killedAt = (at: string, args: ReadonlyArray<string>, env: Record<string, string>) =>
  Effect.promise(async () => {
    const preload = join(import.meta.dirname, "killAt.ts")
    const run = start(node, ["--import", preload, main, ...args], { env: { ...env, KILL_AT: at } })
    const { code, stderr } = await run.ended
    if (code !== null) assert.strictEqual(code, 0, stderr)
    return code === null ? `${args.join(" ")} ${/killed before .*/.exec(stderr)?.[0] ?? stderr}` : null
  })
