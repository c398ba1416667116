/**
 * Remembers the last `most` results of a slow load by key, so
 * that two requests share one load and old ones are dropped.
 */
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
