import { createHash, randomUUID } from "node:crypto"
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { whereNothingIs, makeFolders } from "../../home/disk.ts"

/** Pictures on disk beyond this are removed, those that were not shown for longest first. */
export const mostBytes = 512 * 1024 * 1024

/** What it writes; anything else in its folder stays. */
const ours = /^[0-9a-f]{64}(?:\.[0-9a-f-]{36}\.part)?$/

const nameOf = (link: string): string => createHash("sha256").update(link).digest("hex")

/** Pictures in a folder, each under the sum of its address. Several explorers may share it. */
export const pictureCache = (folder: string, bound = mostBytes) => {
  let written = bound
  const sweep = async (): Promise<void> => {
    const names = (await readdir(folder)).filter((name) => ours.test(name))
    const found = await Promise.all(
      names.map(async (name) => ({ name, seen: await stat(join(folder, name)).catch(whereNothingIs) }))
    )
    const there = found.flatMap(({ name, seen }) =>
      seen === null ? [] : [{ name, size: seen.size, at: seen.mtimeMs }]
    )
    let bytes = there.reduce((sum, { size }) => sum + size, 0)
    for (const { name, size } of there.toSorted((a, b) => a.at - b.at)) {
      if (bytes <= bound) break
      // oxlint-disable-next-line no-await-in-loop -- until it fits
      await rm(join(folder, name), { force: true })
      bytes -= size
    }
  }
  return {
    /** Null = it is not there. */
    read: async (link: string): Promise<Uint8Array | null> => {
      const file = join(folder, nameOf(link))
      const bytes = await readFile(file).catch(whereNothingIs)
      const now = new Date()
      if (bytes !== null) await utimes(file, now, now).catch(whereNothingIs)
      return bytes
    },
    keep: async (link: string, bytes: Uint8Array): Promise<void> => {
      await makeFolders(folder, 0o700)
      const part = join(folder, `${nameOf(link)}.${randomUUID()}.part`)
      await writeFile(part, bytes)
      await rename(part, join(folder, nameOf(link)))
      written += bytes.length
      // The first one looks at what earlier explorers left.
      if (written < bound / 16) return
      written = 0
      await sweep()
    }
  }
}
