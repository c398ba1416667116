import { shellWord } from "../../feed/contract/shellWord.ts"
import type { DialectName } from "../../feed/contract/dialect/dialects.ts"
import type { Manifest } from "../home/Manifest.ts"
import type { Reason } from "./judge.ts"

/** How a snapshot is published that was held because an older version did not know its words. */
export const wordsAdvice = ({ gameId, snapshot }: Pick<Manifest, "gameId" | "snapshot">, dialect: DialectName) =>
  `These are the words of ${dialect}, which this version knows. Publish it with its prices and ids: cardlake replay ${shellWord(gameId)} ${snapshot} --dialect ${dialect}`

/** What is to be done about keys that no dialect has: without it, their prices and ids stay out of every table. */
export const unknownWordsAdvice = (gameId: string): string =>
  `Say what they are in a dialect file: cardlake doctor --capture capture.json shows how the marketplace answers. Then publish the stored pages with: cardlake replay ${shellWord(gameId)} --dialect dialect.json`

/**
 * How a person looks at a held snapshot and publishes it anyway; a game's first one has nothing to compare it with. By
 * its rules, a dialect file may help.
 */
export const heldAdvice = (
  { gameId, previous, snapshot }: Pick<Manifest, "gameId" | "previous" | "snapshot">,
  reasons: ReadonlyArray<Reason>
) => {
  const game = shellWord(gameId)
  const helps = (why: Reason["rule"]["dialectHelps"]) => reasons.some(({ rule }) => rule.dialectHelps === why)
  const look =
    previous === null ? "Publish it" : `Look at it with: cardlake diff ${game} ${previous} ${snapshot}; publish it`
  const without = helps("unknown words") ? ", without them," : ""
  const release = `${look} anyway${without} with: cardlake release ${game} ${snapshot}`
  if (helps("unknown words")) return `${unknownWordsAdvice(gameId)}. ${release}`
  return helps("other words") ? `If it is called otherwise by now: ${unknownWordsAdvice(gameId)}. ${release}` : release
}
