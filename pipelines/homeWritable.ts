import { existsSync } from "node:fs"
import { mkdir, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Effect, Schema } from "effect"
import { Home } from "../src/lake/Home.ts"

/** The home cannot be made or written to. */
export class HomeUnusable extends Schema.TaggedError<HomeUnusable>()("HomeUnusable", {
  home: Schema.String,
  cause: Schema.String
}) {
  override get message() {
    return `The home ${this.home} cannot be written to (${this.cause}). Check its owner, permissions and disk, or choose another with CARDLAKE_HOME or --home`
  }
}

/** Folder by folder: Node's own `recursive` never ends where the parent is there and takes no folders, as in /proc. */
const makeFolder = async (folder: string): Promise<void> => {
  const missing: Array<string> = []
  for (let at = folder; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at)
  for (const at of missing) {
    // oxlint-disable-next-line no-await-in-loop -- a folder needs the one above it
    await mkdir(at).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== "EEXIST") throw cause
    })
  }
}

/** Makes the home and writes a file to it, so that a night does not find out after it has read everything. */
export const homeWritable = Effect.gen(function* () {
  const { root } = yield* Home
  const probe = join(root, `.probe-${process.pid}`)
  yield* Effect.tryPromise({
    try: async () => {
      await makeFolder(root)
      await writeFile(probe, "")
      await rm(probe)
    },
    catch: (cause) => new HomeUnusable({ home: root, cause: cause instanceof Error ? cause.message : String(cause) })
  })
  return root
})
