import { Effect } from "effect"
import { chownSync, readdirSync } from "node:fs"
import { join } from "node:path"

const isRoot = process.getuid?.() === 0
const nobody = 65_534

/** Runs it as an ordinary user, for whom a file's mode counts; root may read everything. */
export const withoutRoot = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  isRoot
    ? Effect.acquireUseRelease(
        Effect.sync(() => process.seteuid?.(nobody)),
        () => effect,
        () => Effect.sync(() => process.seteuid?.(0))
      )
    : effect

/** Gives a folder with everything in it to that user. */
export const giveAway = (folder: string): void => {
  if (!isRoot) return
  chownSync(folder, nobody, nobody)
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    chownSync(join(folder, path), nobody, nobody)
}
