import type { LimitFact } from "../KeyBudget.ts"

const keyOf = ({ bucket, game, kind, operation }: LimitFact) => JSON.stringify([kind, operation, game, bucket])

/** What workers know of a key's limits. `apply` makes use of what others have learned. */
export const makeKnownFacts = (apply: (fact: LimitFact) => void) => {
  const known = new Map<string, LimitFact>()
  const news = new Set<string>()
  return {
    isEmpty: () => known.size === 0,
    /** An answer to this worker has shown it. */
    learned: (fact: LimitFact) => {
      const key = keyOf(fact)
      if (known.get(key)?.limit === fact.limit) return
      known.set(key, fact)
      news.add(key)
    },
    /** What the others do not know yet. */
    news: (): ReadonlyArray<LimitFact> => [...news].flatMap((key) => known.get(key) ?? []),
    /** What all of them know, once they were told. */
    heard: (all: ReadonlyArray<LimitFact>, told: ReadonlyArray<LimitFact>) => {
      for (const fact of told) if (known.get(keyOf(fact)) === fact) news.delete(keyOf(fact))
      for (const fact of all) {
        const key = keyOf(fact)
        if (news.has(key) || known.get(key)?.limit === fact.limit) continue
        known.set(key, fact)
        apply(fact)
      }
      const theirs = new Set(all.map(keyOf))
      for (const key of known.keys()) if (!theirs.has(key)) news.add(key)
    }
  }
}
