import { mkdir, rename, rm } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { Clock, Effect } from "effect"
import { namesIn } from "../foldersIn.ts"
import { Home } from "../Home.ts"
import { lakeStep } from "../LakeError.ts"
import { millisOf } from "../newRunId.ts"

/** What was set aside stays so long. */
const keptMillis = 7 * 24 * 3600 * 1000

const prefix = "removed-"

/** Moves files and folders of the home, by their paths, to `work/removed-<run>`, each under the path that it had. */
export const setAside = Effect.fn("setAside")(function* (run: string, paths: ReadonlyArray<string>) {
  const home = yield* Home
  const folder = home.work(`${prefix}${run}`)
  for (const path of paths) {
    const to = join(folder, relative(home.root, path))
    yield* lakeStep(`Set aside ${path}`, async () => {
      await mkdir(dirname(to), { recursive: true })
      await rename(path, to)
    })
  }
})

/** Whether a name in `work` is that of a folder of {@link setAside}. */
export const isSetAside = (name: string): boolean =>
  name.startsWith(prefix) && millisOf(name.slice(prefix.length)) !== null

/** Deletes what was set aside a week ago. */
export const forgetSetAside = Effect.gen(function* () {
  const home = yield* Home
  const now = yield* Clock.currentTimeMillis
  const old = (yield* namesIn(home.work(""))).filter(
    (name) => isSetAside(name) && now - (millisOf(name.slice(prefix.length)) ?? now) > keptMillis
  )
  yield* lakeStep("Delete what was set aside a week ago", () =>
    Promise.all(old.map((name) => rm(home.work(name), { recursive: true, force: true })))
  )
})
