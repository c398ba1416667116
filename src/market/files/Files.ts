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

/** Signs and checks links to paths with an expiry. A link is valid at most as long as the state exists. */
export const makeSignedLinks = (store: Store) => {
  const secret = store.one<{ secret: string }>("select secret from link_secret")?.secret
  if (secret === undefined) throw new Error("The state has no secret to sign links with")
  const signPath = (path: string, expires: string) =>
    createHmac("sha256", secret).update(`${path}\n${expires}`).digest("hex")
  const isSame = (wanted: string, given: string) => {
    const [a, b] = [Buffer.from(wanted), Buffer.from(given)]
    return a.length === b.length && timingSafeEqual(a, b)
  }
  return {
    sign: (path: string, expiresAtMillis: number) =>
      `${path}?expires=${expiresAtMillis}&signature=${signPath(path, String(expiresAtMillis))}`,
    /** Returns the reason why object storage refuses the file. */
    faultOf: (path: string, query: URLSearchParams, nowMillis: number) => {
      const expires = query.get("expires") ?? ""
      if (!isSame(signPath(path, expires), query.get("signature") ?? "")) return "forged"
      return Number(expires) <= nowMillis ? "expired" : undefined
    }
  }
}
export type SignedLinks = ReturnType<typeof makeSignedLinks>

/** Data too large for the database: photos, imported and exported files, reports. */
export class Files extends Context.Service<
  Files,
  {
    /** Returns the path of the file with this id, existing or not. */
    readonly path: (id: string) => string
    readonly exists: (id: string) => boolean
    readonly remove: (id: string) => void
    /** Returns the reason of a failed write; DiskFull for a full disk. */
    readonly fault: (error: unknown) => unknown
    /** Writes a file. A failure is a defect. */
    readonly writing: (write: () => Promise<void>) => Effect.Effect<void>
    /** Returns path and query of a signed link that expires at `untilMillis`. */
    readonly signedPath: (id: string, untilMillis: number) => string
    /** True if the link is correctly signed and not expired. */
    readonly mayRead: (id: string, query: URLSearchParams) => boolean
  }
>()("cardlake/sandbox/Files") {}

/** Stores files in `folder`, or temporarily if it is undefined. */
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
      /** The folder is created for the first file, since most sandboxes have none. */
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

/** Refuses access like object storage, not in the API's envelope. Beyond the spec: section 8. */
const denied = HttpServerResponse.text("<Error><Code>AccessDenied</Code></Error>", {
  status: 403,
  contentType: "application/xml"
})

const send = (path: string, contentType: string) =>
  HttpServerResponse.stream(
    Stream.orDie(Stream.fromAsyncIterable(createReadStream(path), (error) => new Error(String(error)))),
    { contentType, contentLength: statSync(path).size }
  )

/** Serves `GET /sandbox/files/...`: a public photo of a line, or a file with an unexpired signed link. */
export const fileRoute = HttpRouter.add(
  "GET",
  "/sandbox/files/:id",
  Effect.fnUntraced(function* (request) {
    const files = yield* Files
    const { store } = yield* State
    const { pathname, searchParams } = new URL(request.url, "http://sandbox")
    const fileId = pathname.slice(pathname.lastIndexOf("/") + 1)
    if (!id.test(fileId) || !files.exists(fileId)) return denied
    const photo = store.one<{ content_type: string }>("select content_type from photos where file_id = :fileId", {
      fileId
    })
    if (photo !== undefined) return send(files.path(fileId), photo.content_type)
    return files.mayRead(fileId, searchParams) ? send(files.path(fileId), "application/octet-stream") : denied
  })
)
