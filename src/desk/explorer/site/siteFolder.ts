import { basename, dirname, join, resolve } from "node:path"
import { Effect } from "effect"
import { type Disk, onDisk } from "../../../feed/disk/Disk.ts"
import { whereNothingIs } from "../../../store/home/disk.ts"
import { errorCode, makeFolders } from "../../../feed/disk/makeFolders.ts"
import { OutputInHome, outsideHomes } from "../../../store/home/OutputInHome.ts"
import { joinBelow } from "../../../feed/guard/joinBelow.ts"
import { Fault } from "../../../feed/contract/Fault.ts"

/** The folder contains something other than a site, or cannot be written. */
const refused = (folder: string, what: string) =>
  new Fault(
    "SiteRefused",
    `${folder} ${what}. Choose an empty folder or the folder of an earlier site: cardlake explore --export FOLDER`
  )

/** The file that marks a folder as a site. */
const marker = "cardlake-site.json"
/** All top-level entries of a site. */
const ours: ReadonlySet<string> = new Set([marker, "index.html", "games", "assets"])

const attempt = <A>(folder: string, what: string, run: (disk: Disk) => Promise<A>) =>
  onDisk(run, (cause) => refused(folder, `${what} (${cause instanceof Error ? cause.message : String(cause)})`))

/** Fails unless the folder is missing, empty, or a site. */
const isFree = Effect.fnUntraced(function* (folder: string) {
  const found = yield* attempt(folder, "cannot be read", (disk) => disk.list(folder).catch(noneThere))
  if (found === null || found.length === 0) return
  const names = found.map(({ name }) => name)
  const other = names.includes(marker) ? names.find((name) => !ours.has(name)) : names[0]
  if (other !== undefined) return yield* refused(folder, `contains ${other}, which is not part of an exported site`)
  const text = yield* attempt(folder, "cannot be read", (disk) => disk.readText(join(folder, marker)))
  if (!text.startsWith('{"cardlake":"site"')) {
    return yield* refused(folder, `contains a ${marker} that Cardlake did not write`)
  }
})

/** Treats a missing folder as null; a file in its place is an error. */
const noneThere = (cause: unknown): null => {
  if (errorCode(cause) === "ENOTDIR") throw cause
  return whereNothingIs(cause)
}

export interface SiteMark {
  readonly writtenOn: string
  readonly games: ReadonlyArray<string>
  readonly pages: number
}

/**
 * Opens a temporary folder that replaces the requested one once the site is complete. Until then the old site stays,
 * so a killed export changes nothing of it; the next export starts over and removes the leftovers.
 */
export const openSiteFolder = Effect.fnUntraced(function* (target: string, home: string) {
  const folder = resolve(target)
  if (`${folder}/`.startsWith(`${home}/`)) return yield* new OutputInHome({ file: folder, home })
  yield* outsideHomes(join(folder, marker))
  const [partial, old] = ["partial", "old"].map((state) => join(dirname(folder), `.${basename(folder)}.${state}`)) as [
    string,
    string
  ]
  for (const each of [folder, partial, old]) yield* isFree(each)
  yield* attempt(folder, "cannot be replaced", async (disk) => {
    // The last export was killed between its two renames.
    if (!disk.exists(folder) && disk.exists(old)) await disk.rename(old, folder)
    await disk.remove(partial)
    await disk.remove(old)
    await makeFolders(disk, partial)
    await disk.write(join(partial, marker), '{"cardlake":"site"}\n')
  })
  const made = new Set<string>()
  const write = (file: string, text: string) =>
    attempt(folder, `cannot have ${file}`, async (disk) => {
      const place = joinBelow(partial, file)
      if (!made.has(dirname(place))) await makeFolders(disk, dirname(place))
      made.add(dirname(place))
      await disk.write(place, text)
      return Buffer.byteLength(text)
    })
  const finish = (mark: SiteMark) =>
    attempt(folder, "cannot be replaced", async (disk) => {
      await disk.write(join(partial, marker), `${JSON.stringify({ cardlake: "site", ...mark })}\n`)
      if (disk.exists(folder)) await disk.rename(folder, old)
      await disk.rename(partial, folder)
      await disk.remove(old)
    })
  return { folder, write, finish }
})
