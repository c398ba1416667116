import { freeSpace, isDiskFull } from "../../feed/reading/LakeError.ts"
import { basename, dirname, join } from "node:path"
import { DateTime, Effect } from "effect"
import packageJson from "../../../package.json" with { type: "json" }
import { type Disk, onDisk, Processes, lookAt } from "../../feed/disk/Disk.ts"
import { randomHex } from "../../feed/disk/random.ts"
import { Home } from "./Home.ts"
import { isUnmarkedHome } from "./homeEvidence.ts"
import { followedBy, homeFormat, type HomeMarker, readMarker } from "./HomeMarker.ts"
import type { HomePaths } from "./homePaths.ts"
import { isThere, syncToDisk } from "./disk.ts"
import { makeFolders } from "../../feed/disk/makeFolders.ts"
import { shellWord } from "../../feed/contract/shellWord.ts"
import { Fault } from "../../feed/contract/Fault.ts"

/** Runs a step of claiming a home. Fails if it cannot be created or written to. */
const fileStep = <A>({ root }: HomePaths, run: (disk: Disk) => Promise<A>) =>
  onDisk(run, (error) => {
    const cause = error instanceof Error ? error.message : String(error)
    const next = isDiskFull(cause)
      ? `The disk is full. ${freeSpace}`
      : "Check its owner, permissions and disk, or choose another with CARDLAKE_HOME or --home"
    return new Fault("HomeUnusable", `The home ${root} cannot be written to (${cause}). ${next}`)
  })

/** True for an unfinished marker and for files that a new disk or a file browser creates. */
const isNothing = (name: string): boolean =>
  name === "lost+found" || name === ".DS_Store" || /^cardlake\.json\.[0-9a-f]{8}\.part$/.test(name)

/** Writes the marker by rename, so that of two concurrent first runs each finds either no marker or a complete one. */
const writeMarker = Effect.fnUntraced(function* (home: HomePaths, more: Pick<typeof HomeMarker.Type, "follows"> = {}) {
  const madeAt = DateTime.formatIso(yield* DateTime.now)
  const marker: typeof HomeMarker.Type = { format: homeFormat, cardlakeVersion: packageJson.version, madeAt, ...more }
  const unfinished = `${home.marker}.${yield* randomHex(4)}.part`
  yield* fileStep(home, async (disk) => {
    await disk.write(unfinished, `${JSON.stringify(marker, null, 2)}\n`, { flush: true })
    await disk.rename(unfinished, home.marker)
  })
  yield* syncToDisk(home.root)
})

/** A file of no bytes can be created on a full disk. */
const probed = " ".repeat(4096)

/** Checks that the home is writable before a night spends hours on reading. */
const tryWriting = (home: HomePaths) =>
  Effect.flatMap(Processes, ({ pid }) =>
    fileStep(home, async (disk) => {
      const probe = join(home.root, `.probe-${pid}`)
      await disk.write(probe, probed).finally(() => disk.removeFile(probe).catch(() => {}))
    })
  )

/** Returns the names in the folder if it is or may become a home. Changes nothing. */
const inspectHome = Effect.fnUntraced(function* (home: HomePaths) {
  // Names are read before the marker, because another first run writes the marker before anything else.
  const found = yield* fileStep(home, (disk) => disk.list(home.root))
  const names = found.flatMap(({ name }) => (isNothing(name) ? [] : [name])).sort()
  const marker = yield* readMarker(home)
  if (marker === "whole") return { names, marker }
  const isOurs = names.length === 0 || (yield* fileStep(home, (disk) => isUnmarkedHome(disk, home.root, names)))
  if (isOurs) return { names, marker }
  const others = names.map((name) => JSON.stringify(name))
  const shown = [...others.slice(0, 3), ...(others.length > 3 ? [`${others.length - 3} more`] : [])].join(", ")
  return yield* new Fault(
    "HomeForeign",
    `${home.root} is not a Cardlake home: it contains ${shown}. Nothing was written to it. Choose an empty folder, or one that does not exist yet, with CARDLAKE_HOME or --home`
  )
})

/**
 * Makes an empty folder a home, or verifies that it is one, before any other write. Returns the folder. Restores a
 * missing marker if the files are a home's.
 */
export const claimHome = Effect.gen(function* () {
  const home = yield* Home
  yield* fileStep(home, (disk) => makeFolders(disk, home.root))
  const { marker } = yield* inspectHome(home)
  const follows = yield* followedBy(home)
  if (follows !== null)
    return yield* new Fault(
      "HomeFollows",
      `${home.root} is a copy of ${follows}, so anything written to it would be lost. Run this with: --home ${shellWord(follows)}; then update the copy with: cardlake pull --home ${shellWord(follows)} --to ${shellWord(home.root)}`
    )
  if (marker === "whole") yield* tryWriting(home)
  else {
    if (marker === "damaged") yield* Effect.logWarning(`${home.marker} was damaged; it was rewritten`)
    yield* writeMarker(home)
  }
  return home.root
})

/** Makes an empty folder a copy of a bucket home, or verifies that it already is. */
export const claimCopy = Effect.fnUntraced(function* (follows: string) {
  const home = yield* Home
  yield* fileStep(home, (disk) => makeFolders(disk, home.root))
  const { names } = yield* inspectHome(home)
  const before = yield* followedBy(home)
  if (before === follows) return yield* tryWriting(home)
  if (before !== null || names.length > 0) {
    const is = before === null ? "is a home itself" : `is a copy of ${before}`
    const lost = `${home.root} ${is}, and would be lost as a copy of ${follows}`
    return yield* new Fault("HomeTaken", `${lost}. Nothing was written to it. Choose an empty folder with --to`)
  }
  yield* writeMarker(home, { follows })
})

/** Returns the folder, or its nearest existing ancestor. */
const nearestThere = (path: string): string =>
  isThere(path) || dirname(path) === path ? path : nearestThere(dirname(path))

/** Returns a sentence that says if a night could write to the home. Creates nothing. */
export const examineHome = Effect.gen(function* () {
  const home = yield* Home
  if (!isThere(home.root)) {
    yield* fileStep(home, async (disk) => {
      const above = nearestThere(home.root)
      if (lookAt(disk, above).kind !== "folder") throw new Error(`${above} is not a folder`)
      await disk.assertWritable(above)
    })
    return `${home.root} is writable, but does not exist yet: the first night creates it. If there should be one, check --home and CARDLAKE_HOME`
  }
  const { marker, names } = yield* inspectHome(home)
  yield* tryWriting(home)
  if (marker === "damaged")
    return `${home.root} is writable. Its ${basename(home.marker)} is damaged; the next night rewrites it`
  return names.length === 0 && marker === "missing"
    ? `${home.root} is writable, and empty: the first night makes it a home`
    : `${home.root} is writable`
})
