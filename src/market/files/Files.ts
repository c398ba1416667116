import { Context, Effect, Layer, Stream } from "effect"
import { existsSync, mkdtempSync, rmSync, createReadStream, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { writeFault } from "../answers/refusals.ts"
import { makeFolders } from "../state/openDatabase.ts"
import { MarketClock } from "../state/MarketClock.ts"
import { State, type Store } from "../state/State.ts"
import { createHmac, timingSafeEqual } from "node:crypto"
import { HttpRouter, HttpServerResponse } from "effect/http"

/** Why object storage does not give a file out. */
type LinkFault = "expired" | "forged"

/**
 * Signs links to paths until an instant, and checks them. A
 * link lasts as long as the state, if it does not end before.
 */
export interface SignedLinks {
  readonly sign: (path: string, expiresAtMillis: number) => string
  readonly faultOf: (path: string, query: URLSearchParams, nowMillis: number) => LinkFault | undefined
}

export const makeSignedLinks = (store: Store): SignedLinks => {
  const secret = store.one<{ secret: string }>("select secret from link_secret")?.secret
  if (secret === undefined) throw new Error("The state has no secret to sign links with")
  const signatureOf = (path: string, expires: string) =>
    createHmac("sha256", secret).update(`${path}\n${expires}`).digest("hex")
  const isSame = (wanted: string, given: string) => {
    const [a, b] = [Buffer.from(wanted), Buffer.from(given)]
    return a.length === b.length && timingSafeEqual(a, b)
  }
  return {
    sign: (path, expiresAtMillis) =>
      `${path}?expires=${expiresAtMillis}&signature=${signatureOf(path, String(expiresAtMillis))}`,
    faultOf: (path, query, nowMillis) => {
      const expires = query.get("expires") ?? ""
      if (!isSame(signatureOf(path, expires), query.get("signature") ?? "")) return "forged"
      return Number(expires) <= nowMillis ? "expired" : undefined
    }
  }
}

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

const id = /^[0-9a-f]{24}$/

/** As object storage answers: not as the API does. Beyond the spec: section 8. */
const denied = HttpServerResponse.text("<Error><Code>AccessDenied</Code></Error>", {
  status: 403,
  contentType: "application/xml"
})

const send = (path: string, contentType: string) =>
  HttpServerResponse.stream(
    Stream.orDie(Stream.fromAsyncIterable(createReadStream(path), (error) => new Error(String(error)))),
    { contentType, contentLength: statSync(path).size }
  )

/** `GET /sandbox/files/...`: a photo of a line, which anybody may see, or a file whose signed link has not ended. */
export const fileRoute = HttpRouter.add(
  "GET",
  "/sandbox/files/:id",
  Effect.fnUntraced(function* (request) {
    const files = yield* Files
    const { store } = yield* State
    const { pathname, searchParams } = new URL(request.url, "http://sandbox")
    const asked = pathname.slice(pathname.lastIndexOf("/") + 1)
    if (!id.test(asked) || !files.exists(asked)) return denied
    const photo = store.one<{ content_type: string }>("select content_type from photos where file_id = :asked", {
      asked
    })
    if (photo !== undefined) return send(files.path(asked), photo.content_type)
    return files.mayRead(asked, searchParams) ? send(files.path(asked), "application/octet-stream") : denied
  })
)
