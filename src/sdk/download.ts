import { attempt } from "./attempt.ts"
import { type ClientOptions, policyOf, type RequestOptions } from "./ClientOptions.ts"
import { makeRateGate } from "./RateGate.ts"
import { withRetries } from "./withRetries.ts"

/** A file that a link leads to, read as it comes, or at once. */
export interface Download extends AsyncIterable<Uint8Array> {
  readonly text: () => Promise<string>
  readonly bytes: () => Promise<Uint8Array>
}

/** Not every runtime's stream can be iterated. */
const chunksOf = async function* (response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel()
  }
}

const downloadOf = (response: Response): Download => ({
  text: () => response.text(),
  bytes: async () => new Uint8Array(await response.arrayBuffer()),
  [Symbol.asyncIterator]: () => chunksOf(response)
})

/**
 * The file behind a link of an answer: of a feed, a job, a photo. It may be on another host, so the key does not go along.
 * The time limit is for its beginning.
 */
export type FileRequest = (link: string, options?: RequestOptions) => Promise<Download>

export const makeDownload =
  (client: ClientOptions): FileRequest =>
  async (link, options) => {
    if (!URL.canParse(link) || !/^https?:/.test(link)) throw new TypeError("The link is no address of a file")
    const { key } = client
    const means = {
      fetch: client.fetch ?? ((address: string, init?: never) => globalThis.fetch(address, init)),
      scrub: (text: string) => text.replaceAll(key, "<key>"),
      read: async (response: Response) => ({ answer: downloadOf(response) })
    }
    const policy = policyOf(client, options)
    const outgoing = { method: "GET", address: link, headers: {}, mayRedirect: true }
    return await withRetries(() => attempt(outgoing, policy, means), policy, makeRateGate())
  }
