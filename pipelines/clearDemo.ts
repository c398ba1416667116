import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { homeFiles, homeFolders } from "../src/lake/homePaths.ts"

/** The folder holds something that no demo left there. */
export class HomeTaken extends Schema.TaggedError<HomeTaken>()("HomeTaken", { home: Schema.String }) {
  override get message() {
    return `${this.home} is not empty and not a demo's. Choose an empty folder: cardlake demo --home FOLDER`
  }
}

/** Says whose the folder is; another text there is somebody else's. */
export const demoReadme = {
  name: "README.txt",
  text: "The lake of `cardlake demo`. The next demo replaces this folder.\n"
}

const namesIn = (folder: string): ReadonlyArray<string> => (existsSync(folder) ? readdirSync(folder) : [])

/** The demo's own words, nothing beside a home's files, and no game but the invented ones. */
const isDemo = (home: string, names: ReadonlyArray<string>, invented: ReadonlySet<string>): boolean => {
  const readme = join(home, demoReadme.name)
  const known = new Set([demoReadme.name, ...homeFiles, ...homeFolders])
  const games = [...namesIn(join(home, "raw")), ...namesIn(join(home, "snapshots"))]
  return (
    names.includes(demoReadme.name) &&
    readFileSync(readme, "utf8") === demoReadme.text &&
    names.every((name) => known.has(name)) &&
    games.every((game) => invented.has(game.replace(/^game=/, "")))
  )
}

/** Empties the folder of an earlier demo; fails for any other that is not empty. */
export const clearDemo = (home: string, invented: ReadonlySet<string>): Effect.Effect<void, HomeTaken> =>
  Effect.suspend(() => {
    const names = namesIn(home)
    if (names.length > 0 && !isDemo(home, names, invented)) return new HomeTaken({ home })
    for (const name of names) rmSync(join(home, name), { recursive: true, force: true })
    return Effect.void
  })
