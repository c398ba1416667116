import { readRecord } from "../catalogue/Json.ts"
import { keepRecent } from "../answers/caches.ts"
import type { LiveAtStart } from "../catalogue/LiveGame.ts"
import type { StoredGame } from "../catalogue/StoredCatalogue.ts"
import { checkBlocks } from "./inventedListings.ts"
import type { LiveOffers } from "./LiveOffers.ts"
import { livingShelf, type ToldShelf, toldShelf } from "./livingShelf.ts"

/** A game whose live blocks are counted, and the deployment that told of its first listings. */
export interface LivingGame {
  readonly stored: StoredGame
  readonly told: () => Promise<ToldShelf>
}

/** The game with live blocks that are counted. */
export const livingGame = (stored: StoredGame, start: LiveAtStart, live: LiveOffers["Service"]): LivingGame => {
  const first = start === "first" ? 0 : stored.deployments.length - 1
  let known: Promise<ToldShelf> | undefined
  const told = () =>
    (known ??= stored.open(first).then(({ products }) => toldShelf(products, first, stored.blocksAgree === true)))
  return {
    told,
    stored: {
      ...stored,
      open: keepRecent(2, async (deployment) => {
        const { shelf, ...shown } = await told()
        const opened =
          deployment === first ? { ...(await stored.open(first)), products: shelf } : await stored.open(deployment)
        return { ...opened, products: livingShelf(opened.products, { shelf, ...shown }, live) }
      })
    }
  }
}

/** Live blocks that the catalogue has, and how many of them contradict themselves. */
export const countBlocks = async (games: ReadonlyArray<LivingGame>) => {
  const counted = { blocks: 0, contradicting: 0 }
  for (const { stored, told } of games) {
    if (stored.blocksAgree === true) continue
    // One after the other: each may have to be unpacked.
    // oxlint-disable-next-line no-await-in-loop
    const { shelf } = await told()
    for (let index = 0; index < shelf.size; index++) {
      const { blocks, contradicting } = checkBlocks(readRecord(shelf.text(index)))
      counted.blocks += blocks
      counted.contradicting += contradicting
    }
  }
  return counted
}
