import { Effect, type Scope } from "effect"
import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { withVariables } from "../../warehouse/Store.ts"
import { BucketSettings } from "../../../src/store/home/bucket/openBucket.ts"
import { type BucketStore, openStore } from "../../../src/store/home/bucket/BucketStore.ts"

interface Stored {
  readonly body: Buffer
  readonly tag: string
  readonly at: Date
  /** What its writer noted with it: headers that begin with `x-amz-meta-`. */
  readonly noted?: Readonly<Record<string, string>>
}

/** What stands between a client and the store: true = it has answered the request itself. */
export type Before = (request: IncomingMessage, response: ServerResponse, body: Buffer) => boolean | Promise<boolean>

const md5 = (body: Buffer, encoding: "hex" | "base64") => createHash("md5").update(body).digest(encoding)
const xml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/**
 * An S3 store in memory that honours conditional writes: each write is decided in one step, as this process does one
 * thing at a time. What it knows of the API is what the AWS SDK asks for here.
 */
export const startConditionalStore = async (bucket = "lakes", port = 0) => {
  const objects = new Map<string, Stored>()
  const uploads = new Map<string, Map<number, Buffer>>()
  const state = {
    before: (() => false) as Before,
    requests: [] as Array<string>,
    bytesOut: 0,
    bytesIn: 0,
    /** Milliseconds added to its clock. */
    clock: 0
  }
  const now = () => new Date(Date.now() + state.clock)

  const fail = (response: ServerResponse, status: number, code: string) =>
    response.writeHead(status, { "content-type": "application/xml" }).end(`<Error><Code>${code}</Code></Error>`)

  /** Why a write is refused; null: it is made. */
  const refusal = (key: string, { headers }: IncomingMessage): readonly [number, string] | null => {
    const there = objects.get(key)
    if (headers["if-none-match"] === "*" && there !== undefined) return [412, "PreconditionFailed"]
    const tag = headers["if-match"]
    if (tag === undefined) return null
    if (there === undefined) return [404, "NoSuchKey"]
    return there.tag === tag ? null : [412, "PreconditionFailed"]
  }

  const put = (key: string, request: IncomingMessage, response: ServerResponse, body: Buffer) => {
    const sum = request.headers["content-md5"]
    if (sum !== undefined && sum !== md5(body, "base64")) return fail(response, 400, "BadDigest")
    if (Number(request.headers["content-length"] ?? body.length) !== body.length)
      return fail(response, 400, "IncompleteBody")
    const refused = refusal(key, request)
    if (refused !== null) return fail(response, ...refused)
    const noted = Object.entries(request.headers).flatMap(([name, value]) =>
      name.startsWith("x-amz-meta-") ? [[name, String(value)]] : []
    )
    const stored = { body, tag: `"${md5(body, "hex")}"`, at: now(), noted: Object.fromEntries(noted) }
    objects.set(key, stored)
    state.bytesIn += body.length
    return response.writeHead(200, { etag: stored.tag }).end()
  }

  const get = (key: string, { headers, method }: IncomingMessage, response: ServerResponse) => {
    const there = objects.get(key)
    if (there === undefined) return fail(response, 404, "NoSuchKey")
    const { at, body, noted, tag } = there
    const range = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? "")
    const part =
      range === null ? body : body.subarray(Number(range[1]), range[2] === "" ? undefined : Number(range[2]) + 1)
    const more =
      range === null
        ? {}
        : { "content-range": `bytes ${range[1]}-${Number(range[1]) + part.length - 1}/${body.length}` }
    response.writeHead(range === null ? 200 : 206, {
      etag: tag,
      "content-length": part.length,
      "last-modified": at.toUTCString(),
      ...noted,
      ...more
    })
    if (method === "HEAD") return response.end()
    state.bytesOut += part.length
    return response.end(part)
  }

  const list = (query: URLSearchParams, response: ServerResponse) => {
    const prefix = query.get("prefix") ?? ""
    const delimiter = query.get("delimiter") ?? ""
    const after = query.get("continuation-token") ?? query.get("start-after") ?? ""
    const pageOf = Number(query.get("max-keys") ?? 1000)
    const found: Array<string> = []
    const folders = new Set<string>()
    let last = ""
    let more = false
    for (const key of [...objects.keys()].toSorted()) {
      if (!key.startsWith(prefix) || key <= after) continue
      if (found.length + folders.size >= pageOf) {
        more = true
        break
      }
      const cut = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length)
      if (cut >= 0) folders.add(key.slice(0, cut + 1))
      else found.push(key)
      last = key
    }
    const contents = found.map((key) => {
      const { at, body, tag } = objects.get(key) ?? { at: now(), body: Buffer.alloc(0), tag: "" }
      return `<Contents><Key>${xml(key)}</Key><LastModified>${at.toISOString()}</LastModified><ETag>${xml(tag)}</ETag><Size>${body.length}</Size></Contents>`
    })
    const prefixes = [...folders].map((one) => `<CommonPrefixes><Prefix>${xml(one)}</Prefix></CommonPrefixes>`)
    const next = more ? `<NextContinuationToken>${xml(last)}</NextContinuationToken>` : ""
    response
      .writeHead(200, { "content-type": "application/xml" })
      .end(
        `<ListBucketResult><Name>${bucket}</Name><IsTruncated>${more}</IsTruncated>${next}${contents.join("")}${prefixes.join("")}</ListBucketResult>`
      )
  }

  const multipart = (
    key: string,
    query: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer
  ) => {
    const id = query.get("uploadId") ?? `upload-${uploads.size + 1}`
    if (query.has("uploads")) {
      uploads.set(id, new Map())
      return response.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    const parts = uploads.get(id)
    if (parts === undefined) return fail(response, 404, "NoSuchUpload")
    if (request.method === "PUT") {
      parts.set(Number(query.get("partNumber")), body)
      return response.writeHead(200, { etag: `"${md5(body, "hex")}"` }).end()
    }
    uploads.delete(id)
    if (request.method === "DELETE") return response.writeHead(204).end()
    const refused = refusal(key, request)
    if (refused !== null) return fail(response, ...refused)
    const whole = Buffer.concat([...parts].toSorted(([a], [b]) => a - b).map(([, part]) => part))
    const tag = `"${md5(whole, "hex")}-${parts.size}"`
    objects.set(key, { body: whole, tag, at: now() })
    return response.end(`<CompleteMultipartUploadResult><ETag>${xml(tag)}</ETag></CompleteMultipartUploadResult>`)
  }

  const answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://store")
    const key = decodeURIComponent(pathname).slice(bucket.length + 2)
    if (!decodeURIComponent(pathname).startsWith(`/${bucket}`)) return fail(response, 404, "NoSuchBucket")
    if (key === "") return list(searchParams, response)
    if (searchParams.has("uploadId") || searchParams.has("uploads"))
      return multipart(key, searchParams, request, response, body)
    if (request.method === "PUT") return put(key, request, response, body)
    if (request.method === "DELETE") {
      objects.delete(key)
      return response.writeHead(204).end()
    }
    return get(key, request, response)
  }

  const server = createServer((request, response) => {
    state.requests.push(`${request.method} ${request.url}`)
    void bodyOf(request)
      .then(async (body) =>
        (await state.before(request, response, body)) ? undefined : answer(request, response, body)
      )
      .catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(port, "127.0.0.1", resolve)
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    objects,
    state,
    url: address,
    bucket,
    answer,
    /** What a program needs to reach it. */
    env: {
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: "AKIATESTLAKES",
      AWS_SECRET_ACCESS_KEY: "secret-of-the-store-6f2d",
      AWS_ENDPOINT_URL_S3: address,
      CARDLAKE_S3_PATH_STYLE: "true"
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}

export type ConditionalStore = Awaited<ReturnType<typeof startConditionalStore>>

/** Uses an address of a store as commands do, but without one. */
export const useStore = <A, E>(
  env: Record<string, string>,
  address: string,
  use: (store: BucketStore) => Effect.Effect<A, E, Scope.Scope | BucketSettings>
): Promise<A> =>
  Effect.gen(function* () {
    yield* withVariables(env)
    return yield* use(yield* openStore(address))
  }).pipe(Effect.provideService(BucketSettings, { encryption: {}, pathStyle: true }), Effect.scoped, Effect.runPromise)
