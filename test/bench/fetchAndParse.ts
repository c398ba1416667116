import { gunzipSync } from "node:zlib"
import { Agent, request } from "@effect/platform-node/Undici"

const atOnce = 16
const limit = 200

/**
 * The floor under an extraction: every product page fetched,
 * unzipped and parsed, nothing kept. Returns the records seen.
 */
export const fetchAndParse = async (sandbox: { url: string; key: string }, gameId: string): Promise<number> => {
  const dispatcher = new Agent({ connections: atOnce })
  const page = async (offset: number) => {
    const { body } = await request(`${sandbox.url}/v1/products/search?limit=${limit}&offset=${offset}`, {
      dispatcher,
      method: "POST",
      headers: {
        authorization: `Bearer ${sandbox.key}`,
        "accept-encoding": "gzip",
        "content-type": "application/json"
      },
      body: JSON.stringify({ offset, limit, gameFilters: { game: gameId }, sortBy: "name", sortDirection: "asc" })
    })
    return JSON.parse(gunzipSync(await body.arrayBuffer()).toString()) as {
      data: ReadonlyArray<unknown>
      pagination: { total: number }
    }
  }
  const first = await page(0)
  let records = first.data.length
  let next = limit
  const worker = async (): Promise<void> => {
    while (next < first.pagination.total) {
      const offset = next
      next += limit
      const { length } = (await page(offset)).data
      records += length
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  await dispatcher.close()
  return records
}
