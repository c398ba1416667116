import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const run = (program: string, ...args: ReadonlyArray<string>): boolean => spawnSync(program, args).status === 0
export const mount = (...args: ReadonlyArray<string>): boolean => run("mount", ...args)

/** A disk of 20 MB; `isMounted` is false where this process may not mount one. */
export const smallDisk = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "cardlake-disk-"))
    return { folder, isMounted: mount("-t", "tmpfs", "-o", "size=20m", "tmpfs", folder) }
  }),
  ({ folder, isMounted }) =>
    Effect.sync(() => {
      if (isMounted) run("umount", "-l", folder)
      rmSync(folder, { recursive: true, force: true })
    })
)

/** Fills the disk until only `free` bytes are left. */
export const fill = (folder: string, free: number) => {
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(join(folder, "filler"), Buffer.alloc(Math.max(0, bavail * bsize - free)))
}
