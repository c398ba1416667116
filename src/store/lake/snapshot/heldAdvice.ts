import { shellWord } from "../../../feed/contract/shellWord.ts"
import type { DialectName } from "../../../feed/contract/dialect/dialects.ts"
import type { Manifest } from "../../home/Manifest.ts"

/** How a reason says that prices or ids have names of no dialect; by it, a stored reason is recognized. */
export const unknownWords = "under keys that the contract does not know"

/** How a reason says that a column has nothing any more. */
export const nullForAll = "is null for all of"

/** How a snapshot is published that was held because an older version did not know its words. */
export const wordsAdvice = ({ gameId, snapshot }: Pick<Manifest, "gameId" | "snapshot">, dialect: DialectName) =>
  `These are the words of ${dialect}, which this version knows. Publish it with its prices and ids: cardlake replay ${shellWord(gameId)} ${snapshot} --dialect ${dialect}`

/** What is to be done about keys that no dialect has: without it, their prices and ids stay out of every table. */
export const unknownWordsAdvice = (gameId: string): string =>
  `Say what they are in a dialect file: cardlake doctor --capture capture.json shows how the marketplace answers. Then publish the stored pages with: cardlake replay ${shellWord(gameId)} --dialect dialect.json`

/** How a person looks at a held snapshot and publishes it anyway. A game's first one has nothing to compare it with. */
export const heldAdvice = (
  { gameId, previous, snapshot }: Pick<Manifest, "gameId" | "previous" | "snapshot">,
  reasons: ReadonlyArray<string>
) => {
  const game = shellWord(gameId)
  const isUnknown = reasons.some((reason) => reason.includes(unknownWords))
  const look =
    previous === null ? "Publish it" : `Look at it with: cardlake diff ${game} ${previous} ${snapshot}; publish it`
  const release = `${look} anyway${isUnknown ? ", without them," : ""} with: cardlake release ${game} ${snapshot}`
  if (isUnknown) return `${unknownWordsAdvice(gameId)}. ${release}`
  const isEmptied = reasons.some((reason) => reason.includes(nullForAll))
  return isEmptied ? `If it is called otherwise by now: ${unknownWordsAdvice(gameId)}. ${release}` : release
}
