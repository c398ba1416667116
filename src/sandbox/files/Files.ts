import { Context, Effect, Layer } from "effect"
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { MarketClock } from "../state/MarketClock.ts"

/** What is too large for the database: photos, imported and exported files, reports. */
export class Files extends Context.Service<
  Files,
  {
    /** Where the file with this id is, or will be. */
    readonly path: (id: string) => string
    readonly exists: (id: string) => boolean
    readonly remove: (id: string) => void
    /** Path and query of a link to a file that ends at `untilMillis`. */
    readonly signedPath: (id: string, untilMillis: number) => string
    /** True while a link is what was signed and has not ended. */
    readonly mayRead: (id: string, until: string, signature: string) => boolean
  }
>()("cardlake/sandbox/Files") {}

/** Files in `folder`; without one they are temporary. Links end with the process, as well as by time. */
export const filesLayer = (folder: string | undefined) =>
  Layer.effect(
    Files,
    Effect.gen(function* () {
      const clock = yield* MarketClock
      const secret = randomBytes(32)
      let root = folder === undefined ? undefined : join(folder, "files")
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          if (folder === undefined && root !== undefined) rmSync(root, { recursive: true, force: true })
        })
      )
      /** Made when the first file comes: most sandboxes have none. */
      const path = (id: string) => {
        root ??= mkdtempSync(join(tmpdir(), "cardlake-sandbox-"))
        mkdirSync(root, { recursive: true })
        return join(root, id)
      }
      const sign = (id: string, until: string) => createHmac("sha256", secret).update(`${id}.${until}`).digest("hex")
      return {
        path,
        exists: (id) => root !== undefined && existsSync(path(id)),
        remove: (id) => {
          if (root !== undefined) rmSync(path(id), { force: true })
        },
        signedPath: (id, untilMillis) => {
          const until = String(untilMillis)
          return `/sandbox/files/${id}?until=${until}&signature=${sign(id, until)}`
        },
        mayRead: (id, until, signature) => {
          const expected = Buffer.from(sign(id, until))
          const given = Buffer.from(signature)
          return expected.length === given.length && timingSafeEqual(expected, given) && clock.now() < Number(until)
        }
      }
    })
  )
