import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { demoReadme, isDemoHome } from "../../src/home/demoHome.ts"
import { homeFiles, homeFolders } from "../../src/home/homePaths.ts"

/** The folder cannot be the demo's: it contains something that no demo left, or cannot be read or emptied. */
export class HomeTaken extends Schema.TaggedError<HomeTaken>()("HomeTaken", {
  home: Schema.String,
  what: Schema.String
}) {
  override get message() {
    return `${this.home} ${this.what}. Choose an empty folder: cardlake demo --home FOLDER`
  }
}

/** What a visitor put beside the demo stays. */
const visitors = "own"

const namesIn = (folder: string): ReadonlyArray<string> => (existsSync(folder) ? readdirSync(folder) : [])

/** The demo's own words, nothing beside a home's files, and no game but the invented ones. */
const isDemo = (home: string, names: ReadonlyArray<string>, invented: ReadonlySet<string>): boolean => {
  const known = new Set([demoReadme.name, visitors, ...homeFiles, ...homeFolders])
  const games = [...namesIn(join(home, "raw")), ...namesIn(join(home, "snapshots"))]
  return (
    isDemoHome(home) &&
    names.every((name) => known.has(name)) &&
    games.every((game) => invented.has(game.replace(/^game=/, "")))
  )
}

/** Empties the folder of an earlier demo; fails for any other that is not empty. */
export const clearDemo = (home: string, invented: ReadonlySet<string>): Effect.Effect<void, HomeTaken> =>
  Effect.gen(function* () {
    const step = <A>(what: string, run: () => A) =>
      Effect.try({
        try: run,
        catch: (cause) =>
          new HomeTaken({ home, what: `${what} (${cause instanceof Error ? cause.message : "unknown"})` })
      })
    const names = yield* step("cannot be read", () => namesIn(home))
    if (names.length === 0) return
    // Something else in place of a demo's file or folder cannot be read.
    const isOurs = yield* Effect.orElseSucceed(
      step("is odd", () => isDemo(home, names, invented)),
      () => false
    )
    if (!isOurs) return yield* new HomeTaken({ home, what: "is neither empty nor a demo's" })
    yield* step("cannot be emptied", () => {
      for (const name of names.filter((one) => one !== visitors))
        rmSync(join(home, name), { recursive: true, force: true })
    })
  })
