/** Finished bodies by key, least recently used first out. */
export interface ByteCache {
  readonly get: (key: string) => Uint8Array | undefined
  readonly set: (key: string, body: Uint8Array) => void
}

/** Holds at most `maxBytes` of bodies and keys. */
export const makeByteCache = (maxBytes: number): ByteCache => {
  const kept = new Map<string, Uint8Array>()
  let bytes = 0
  const drop = (key: string) => {
    bytes -= (kept.get(key)?.byteLength ?? -key.length) + key.length
    kept.delete(key)
  }
  return {
    get: (key) => {
      const body = kept.get(key)
      if (body === undefined) return undefined
      kept.delete(key)
      kept.set(key, body)
      return body
    },
    set: (key, body) => {
      drop(key)
      kept.set(key, body)
      bytes += body.byteLength + key.length
      for (const oldest of kept.keys()) {
        if (bytes <= maxBytes) return
        drop(oldest)
      }
    }
  }
}
