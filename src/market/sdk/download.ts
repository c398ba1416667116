import { attempt } from "./attempt.ts"
import { type ClientOptions, chooseFetch, choosePolicy, type RequestOptions } from "./ClientOptions.ts"
import { makeRateGate, withRetries } from "./withRetries.ts"

/** The file behind a link, decompressed if it is gzip. It can be read once: by chunk, by line, or completely. */
export interface Download extends AsyncIterable<Uint8Array> {
  /** Lines without line ends, as in a feed or CSV. */
  readonly lines: () => AsyncIterable<string>
  readonly text: () => Promise<string>
  readonly bytes: () => Promise<Uint8Array>
}

type Chunks = AsyncGenerator<Uint8Array<ArrayBuffer>>

/** Iterates over a stream, since not every runtime's streams are iterable. */
const readChunks = async function* (stream: ReadableStream<Uint8Array<ArrayBuffer>>): Chunks {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel()
  }
}

const toStream = (chunks: Chunks) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      const { done, value } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => {
      await chunks.return(undefined)
    }
  })

const joined = async function* (first: ReadonlyArray<Uint8Array<ArrayBuffer>>, rest: Chunks): Chunks {
  yield* first
  yield* rest
}

/** Decompresses a file if its first two bytes are gzip's. Some hosts decompress in transit, others do not. */
const unpacked = async function* (body: Response["body"]): Chunks {
  if (body === null) return
  const chunks = readChunks(body as ReadableStream<Uint8Array<ArrayBuffer>>)
  const first: Array<Uint8Array<ArrayBuffer>> = []
  const head: Array<number> = []
  while (head.length < 2) {
    const { done, value } = await chunks.next()
    if (done === true) break
    first.push(value)
    head.push(...value.subarray(0, 2))
  }
  const whole = joined(first, chunks)
  const isGzip = head[0] === 0x1f && head[1] === 0x8b
  yield* isGzip ? readChunks(toStream(whole).pipeThrough(new DecompressionStream("gzip"))) : whole
}

const splitLines = async function* (chunks: Chunks): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let begun = ""
  for await (const chunk of chunks) {
    const lines = (begun + decoder.decode(chunk, { stream: true })).split(/\r?\n/)
    begun = lines.pop() ?? ""
    yield* lines
  }
  if (begun !== "") yield begun
}

const readBody = ({ body }: Response): Download => {
  const all = async (): Promise<Blob> => {
    const parts: Array<Uint8Array<ArrayBuffer>> = []
    for await (const chunk of unpacked(body)) parts.push(chunk)
    return new Blob(parts)
  }
  return {
    lines: () => splitLines(unpacked(body)),
    text: async () => await (await all()).text(),
    bytes: async () => new Uint8Array(await (await all()).arrayBuffer()),
    [Symbol.asyncIterator]: () => unpacked(body)
  }
}

/**
 * Downloads the file behind a link of an answer: a feed, a job's file or a photo. The link may lead to another host, so
 * the key is not sent. The timeout applies until the file begins.
 */
export type FileRequest = (link: string, options?: RequestOptions) => Promise<Download>

export const makeDownload =
  (client: ClientOptions): FileRequest =>
  async (link, options) => {
    if (!URL.canParse(link) || !/^https?:/.test(link)) throw new TypeError("The link is no address of a file")
    const means = { fetch: chooseFetch(client), read: async (response: Response) => ({ answer: readBody(response) }) }
    const policy = choosePolicy(client, options)
    const scrub = (text: string) => text.replaceAll(client.key, "<key>")
    const outgoing = { method: "GET", address: link, headers: {}, mayRedirect: true, scrub }
    return await withRetries(() => attempt(outgoing, policy, means), policy, makeRateGate())
  }
