import type { Row } from "../LakeReader.ts"
import { expansionAddress, productAddress } from "../PageRequest.ts"

/** The page of a product or an expansion; null = it has none. */
export const itemAddress = (
  gameId: string,
  entity: Row[string] | undefined,
  id: Row[string] | undefined
): string | null => {
  if (id === null || id === undefined) return null
  return entity === "product"
    ? productAddress(gameId, id)
    : entity === "expansion"
      ? expansionAddress(gameId, id)
      : null
}

export const options = (...words: ReadonlyArray<string>) => words.map((word) => [word, word] as const)
