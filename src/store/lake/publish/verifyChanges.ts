import { hash } from "node:crypto"
import { lstat, readdir } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { whereNothingIs } from "../../home/disk.ts"
import { Home, type Current } from "../../home/Home.ts"
import { verifyFile } from "../../home/verifyFile.ts"
import { publishedChain } from "../history/nights.ts"
import { changesFiles } from "../snapshot/changesFiles.ts"

/**
 * Compares the changes of the history's nights with their sums, except for those that look on the disk as they did
 * when they were compared last. Returns how all of them look. Fails with `FileDamaged`.
 */
export const verifyChanges = Effect.fn("verifyChanges")(function* (
  current: Current,
  seen: ReadonlyMap<string, string>
) {
  const home = yield* Home
  const nights = Object.entries(current.games).flatMap(([gameId, { published }]) =>
    publishedChain(current, gameId)
      .filter((snapshot) => published.includes(snapshot))
      .map((snapshot) => ({ gameId, snapshot }))
  )
  const looks = yield* Effect.forEach(
    nights,
    Effect.fnUntraced(function* ({ gameId, snapshot }) {
      const name = `${gameId}/${snapshot}`
      const look = yield* lookOf(home.changes(gameId, snapshot))
      if (seen.get(name) !== look) yield* Effect.forEach(yield* changesFiles(gameId, snapshot), verifyFile)
      return [name, look] as const
    }),
    { concurrency: 8 }
  )
  return new Map(looks)
})

/** Changes whenever a file of the folder is written or replaced. */
const lookOf = (folder: string) =>
  lakeStep(`Look at ${folder}`, async () => {
    const names = ((await readdir(folder).catch(whereNothingIs)) ?? []).sort()
    const files = await Promise.all(names.map((name) => lstat(join(folder, name), { bigint: true })))
    const looks = files.map(({ ctimeNs, ino, mtimeNs, size }, index) =>
      [names[index], ino, size, mtimeNs, ctimeNs].join(" ")
    )
    return hash("sha256", looks.join("\n")).slice(0, 16)
  })
