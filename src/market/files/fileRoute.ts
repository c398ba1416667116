import { Effect, Stream } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { createReadStream, statSync } from "node:fs"
import { State } from "../state/State.ts"
import { Files } from "./Files.ts"

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
