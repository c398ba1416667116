import type { HttpServerResponse } from "effect/http"
import { constants, gunzipSync } from "node:zlib"

/** The beginning of a body as it was on the wire. */
export interface LoggedBody {
  readonly bytes: Uint8Array
  /** How long all of it was; null: it was sent piece by piece. */
  readonly length: number | null
  readonly isPacked: boolean
}

/** What of a body can be read. */
export interface ShownBody {
  readonly text: string
  /** Bytes of all of it on the wire; null: it was sent piece by piece, and nothing was kept. */
  readonly bytes: number | null
  readonly isCut: boolean
}

/** Bytes that are kept of a body. */
export const maxBodyBytes = 16 * 1024

/** Bytes that are shown of a body; packed ones grow. */
const maxShownBytes = 64 * 1024

/** A copy: a part of a page would keep all of it in memory. */
const kept = (bytes: Uint8Array, isPacked: boolean): LoggedBody => ({
  bytes: new Uint8Array(bytes.subarray(0, maxBodyBytes)),
  length: bytes.byteLength,
  isPacked
})

export const keptText = (text: string): LoggedBody => kept(Buffer.from(text), false)

export const keptAnswer = ({ body, headers }: HttpServerResponse.HttpServerResponse): LoggedBody | null => {
  if (body._tag === "Empty") return null
  return body._tag === "Uint8Array"
    ? kept(body.body, headers["content-encoding"] === "gzip")
    : { bytes: new Uint8Array(), length: null, isPacked: false }
}

/** As much as the beginning of a packed body gives; one that is no gzip, as on request, gives nothing. */
const unpacked = (bytes: Uint8Array): Uint8Array => {
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    return new Uint8Array()
  }
}

export const shownBody = ({ bytes, isPacked, length }: LoggedBody): ShownBody => {
  const plain = isPacked ? unpacked(bytes) : bytes
  return {
    text: Buffer.from(plain.subarray(0, maxShownBytes)).toString("utf8"),
    bytes: length,
    isCut: length === null || length > bytes.byteLength || plain.byteLength > maxShownBytes
  }
}
