import { gunzipSync } from "node:zlib"
import { textAt } from "./paths.ts"

/** The bytes that a link leads to, fetched without a key and unpacked if they are gzip. */
export const fetched = async (
  link: string
): Promise<{ readonly status: number; readonly bytes: Buffer; readonly raw: Buffer }> => {
  const answer = await fetch(link)
  const raw = Buffer.from(await answer.arrayBuffer())
  const isPacked = raw[0] === 0x1f && raw[1] === 0x8b
  return { status: answer.status, raw, bytes: isPacked ? gunzipSync(raw) : raw }
}

/** The JSON file of an export that has ended. */
export const fileOf = async (job: unknown): Promise<unknown> =>
  JSON.parse((await fetched(textAt(job, "downloadUrl"))).bytes.toString())
