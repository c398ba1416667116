/** Caches the last `most` results of a slow load by key. Concurrent requests share one load. */
export const keepRecent = <Key, A>(most: number, load: (key: Key) => Promise<A>): ((key: Key) => Promise<A>) => {
  const kept = new Map<Key, Promise<A>>()
  return (key) => {
    const found = kept.get(key) ?? load(key)
    kept.delete(key)
    kept.set(key, found)
    found.catch(() => kept.delete(key))
    const oldest = kept.keys().next()
    if (kept.size > most && oldest.done === false) kept.delete(oldest.value)
    return found
  }
}

/** Caches at most `maxBytes` of finished bodies and their keys. The least recently used body is evicted first. */
export const makeByteCache = (maxBytes: number) => {
  const kept = new Map<string, Uint8Array>()
  let bytes = 0
  const drop = (key: string) => {
    bytes -= (kept.get(key)?.byteLength ?? -key.length) + key.length
    kept.delete(key)
  }
  return {
    get: (key: string) => {
      const body = kept.get(key)
      if (body === undefined) return undefined
      kept.delete(key)
      kept.set(key, body)
      return body
    },
    set: (key: string, body: Uint8Array) => {
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
export type ByteCache = ReturnType<typeof makeByteCache>
