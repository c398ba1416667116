import { hash } from "node:crypto"
import { type CommitBase, commitKey } from "../../../src/store/home/bucket/log/commitLog.ts"
import { storeHere } from "../bucket/Store.ts"
import { Violation } from "../history.ts"

export const textAt = (key: string): string | null =>
  storeHere.store?.objects.get(`home/${key}`)?.body.toString("utf8") ?? null

/** The retained commits of a log, newest first, each as the one after it names it. */
export const retainedCommits = <A extends CommitBase>(
  room: string
): ReadonlyArray<{ readonly text: string; readonly commit: A }> => {
  const prefix = `home/${room}/commits/`
  const newest = [...(storeHere.store?.objects.keys() ?? [])]
    .filter((key) => key.startsWith(`${prefix}0`))
    .reduce((most, key) => Math.max(most, Number(key.slice(prefix.length, -".json".length))), 0)
  const chain: Array<{ text: string; commit: A }> = []
  for (let number = newest; number >= Math.max(1, chain[0]?.commit.lowest ?? 1); number--) {
    const text = textAt(commitKey(room, number))
    if (text === null) throw new Violation("9 named", `${commitKey(room, number)} is missing`)
    const before = chain.at(-1)?.commit.before
    if (before !== undefined && before !== hash("sha256", text))
      throw new Violation("1 in order", `${commitKey(room, number)} is not the commit that the next one follows`)
    chain.push({ text, commit: JSON.parse(text) as A })
  }
  return chain
}
