import { randomBytes } from "node:crypto"
import { readdir, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { DateTime, Effect, Schema } from "effect"
import packageJson from "../../package.json" with { type: "json" }
import { Home } from "./Home.ts"
import { isUnmarkedHome } from "./homeEvidence.ts"
import { homeFormat, type HomeMarker, readMarker } from "./HomeMarker.ts"
import type { HomePaths } from "./homePaths.ts"
import { makeFolders, syncToDisk } from "./disk.ts"

/** The home cannot be made or written to. */
export class HomeUnusable extends Schema.TaggedError<HomeUnusable>()("HomeUnusable", {
  home: Schema.String,
  cause: Schema.String
}) {
  override get message() {
    return `The home ${this.home} cannot be written to (${this.cause}). Check its owner, permissions and disk, or choose another with CARDLAKE_HOME or --home`
  }
}

/** The folder contains what is not ours. */
export class HomeForeign extends Schema.TaggedError<HomeForeign>()("HomeForeign", {
  home: Schema.String,
  holds: Schema.Array(Schema.String)
}) {
  override get message() {
    const [first, second, third, ...more] = this.holds.map((name) => JSON.stringify(name))
    const names = [first, second, third, more.length === 0 ? undefined : `${more.length} more`]
    return `${this.home} is not a Cardlake home: it contains ${names.filter((name) => name !== undefined).join(", ")}. Nothing was written to it. Choose an empty folder, or one that does not exist yet, with CARDLAKE_HOME or --home`
  }
}

const fileStep = <A>({ root }: HomePaths, run: () => Promise<A>): Effect.Effect<A, HomeUnusable> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => new HomeUnusable({ home: root, cause: cause instanceof Error ? cause.message : String(cause) })
  })

/** What a new disk or a file browser puts into a folder, and an unfinished marker. */
const isNothing = (name: string): boolean =>
  name === "lost+found" || name === ".DS_Store" || /^cardlake\.json\.[0-9a-f]{8}\.part$/.test(name)

/** Written beside it and renamed: of two first runs, each finds either no marker or a whole one. */
const writeMarker = Effect.fnUntraced(function* (home: HomePaths) {
  const madeAt = DateTime.formatIso(yield* DateTime.now)
  const marker: typeof HomeMarker.Type = { format: homeFormat, cardlakeVersion: packageJson.version, madeAt }
  const unfinished = `${home.marker}.${randomBytes(4).toString("hex")}.part`
  yield* fileStep(home, async () => {
    await writeFile(unfinished, `${JSON.stringify(marker, null, 2)}\n`, { flush: true })
    await rename(unfinished, home.marker)
  })
  yield* syncToDisk(home.root)
})

/** A night must not learn only after reading everything that the home cannot be written to. */
const tryWriting = (home: HomePaths) =>
  fileStep(home, async () => {
    const probe = join(home.root, `.probe-${process.pid}`)
    await writeFile(probe, "")
    await rm(probe)
  })

/**
 * Makes an empty folder a home, or checks that it is one, before anything else is written to it. Returns the folder.
 * A home of 0.1.0, which had no marker, is recognised by its files and marked.
 */
export const claimHome = Effect.gen(function* () {
  const home = yield* Home
  // Names are read before the marker: another first run writes the marker before anything else.
  const names = yield* fileStep(home, async () => {
    await makeFolders(home.root)
    return (await readdir(home.root)).filter((name) => !isNothing(name)).sort()
  })
  const marker = yield* readMarker(home)
  if (marker === "whole") yield* tryWriting(home)
  else {
    const isOurs = names.length === 0 || (yield* fileStep(home, () => isUnmarkedHome(home.root, names)))
    if (!isOurs) return yield* new HomeForeign({ home: home.root, holds: names })
    if (marker === "damaged") yield* Effect.logWarning(`${home.marker} was damaged; it was written again`)
    yield* writeMarker(home)
  }
  return home.root
})
