import { shellWord } from "../../contract/shellWord.ts"
import type { DialectName } from "../../contract/dialects.ts"
import type { Manifest } from "../../home/Manifest.ts"

/** How a snapshot is published that was held because an older version did not know its words. */
export const wordsAdvice = ({ gameId, snapshot }: Pick<Manifest, "gameId" | "snapshot">, dialect: DialectName) =>
  `These are the words of ${dialect}, which this version knows. Publish it with its prices and ids: cardlake replay ${shellWord(gameId)} ${snapshot} --dialect ${dialect}`

/** How a person looks at a held snapshot and publishes it anyway. A game's first one has nothing to compare it with. */
export const heldAdvice = ({ gameId, previous, snapshot }: Pick<Manifest, "gameId" | "previous" | "snapshot">) => {
  const game = shellWord(gameId)
  const look =
    previous === null ? "Publish it" : `Look at it with: cardlake diff ${game} ${previous} ${snapshot}; publish it`
  return `${look} anyway with: cardlake release ${game} ${snapshot}`
}
