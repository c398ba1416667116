import { shellWord } from "../../feed/contract/shellWord.ts"
import type { DialectName } from "../../feed/contract/dialect/dialects.ts"
import type { Manifest } from "../home/Manifest.ts"
import type { Reason } from "./judge.ts"

/** Returns how to publish a snapshot that was held because an older version did not know its dialect. */
export const wordsAdvice = ({ gameId, snapshot }: Pick<Manifest, "gameId" | "snapshot">, dialect: DialectName) =>
  `These are the names of dialect ${dialect}, which this version knows. Publish it with its prices and ids: cardlake replay ${shellWord(gameId)} ${snapshot} --dialect ${dialect}`

/** Returns how to map keys that no dialect has. Without a mapping, their prices and ids are missing in every table. */
export const unknownKeysAdvice = (gameId: string): string =>
  `Name them in a mapping file: cardlake doctor --capture capture.json shows the marketplace's answers. Then publish the stored pages with: cardlake replay ${shellWord(gameId)} --dialect dialect.json`

/**
 * Returns how to inspect a held snapshot and publish it anyway. A game's first one has no predecessor for comparison.
 * Some rules suggest a dialect file.
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
  if (helps("unknown words")) return `${unknownKeysAdvice(gameId)}. ${release}`
  return helps("other words") ? `If the field was renamed: ${unknownKeysAdvice(gameId)}. ${release}` : release
}
