import { Context, Effect, Layer } from "effect"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { writeFault } from "../answers/DiskFull.ts"
import { makeFolders } from "../state/makeFolders.ts"
import { MarketClock } from "../state/MarketClock.ts"
import { State } from "../state/State.ts"
import { makeSignedLinks } from "./signedLinks.ts"

/** What is too large for the database: photos, imported and exported files, reports. */
export class Files extends Context.Service<
  Files,
  {
    /** Where the file with this id is, or will be. */
    readonly path: (id: string) => string
    readonly exists: (id: string) => boolean
    readonly remove: (id: string) => void
    /** Why a file could not be written: a full disk by its name. */
    readonly fault: (error: unknown) => unknown
    /** Writes a file; a fault ends the fiber. */
    readonly writing: (write: () => Promise<void>) => Effect.Effect<void>
    /** Path and query of a link to a file that ends at `untilMillis`. */
    readonly signedPath: (id: string, untilMillis: number) => string
    /** True while a link is what was signed and has not ended. */
    readonly mayRead: (id: string, query: URLSearchParams) => boolean
  }
>()("cardlake/sandbox/Files") {}

/** Files in `folder`; without one they are temporary. */
export const filesLayer = (folder: string | undefined) =>
  Layer.effect(
    Files,
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const links = makeSignedLinks((yield* State).store)
      const urlPath = (id: string) => `/sandbox/files/${id}`
      let root = folder === undefined ? undefined : join(folder, "files")
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          if (folder === undefined && root !== undefined) rmSync(root, { recursive: true, force: true })
        })
      )
      /** Made when the first file comes: most sandboxes have none. */
      const path = (id: string) => {
        root ??= mkdtempSync(join(tmpdir(), "cardlake-sandbox-"))
        makeFolders(root)
        return join(root, id)
      }
      const fault = (error: unknown) => writeFault(error, root ?? tmpdir())
      return {
        path,
        fault,
        writing: (write) =>
          Effect.promise(() =>
            write().catch((error: unknown) => {
              throw fault(error)
            })
          ),
        exists: (id) => root !== undefined && existsSync(path(id)),
        remove: (id) => {
          if (root !== undefined) rmSync(path(id), { force: true })
        },
        signedPath: (id, untilMillis) => links.sign(urlPath(id), untilMillis),
        mayRead: (id, query) => links.faultOf(urlPath(id), query, clock.now()) === undefined
      }
    })
  )
