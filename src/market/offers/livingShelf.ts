import { readRecord, type ProductShelf, type StoredGame } from "../catalogue/StoredCatalogue.ts"
import { renameKeys } from "../wording/renameKeys.ts"
import { checkBlocks, inventedListings } from "./inventedListings.ts"
import type { LiveOffers } from "./LiveOffers.ts"
import { afterSpace, type Span, spansIn } from "../../feed/contract/jsonSpans.ts"
import { keepRecent } from "../answers/caches.ts"
import type { LiveAtStart } from "../catalogue/LiveGame.ts"

const joinMembers = (members: ReadonlyArray<string>): string => `{${members.join(",")}}`

/** Replaces or removes the live block among the blocks of one finish. */
const withBlock = (text: string, open: number, block: string | undefined): ReadonlyArray<string> => {
  const live = block === undefined ? [] : [`"marketplace":${block}`]
  const members = spansIn(text, open)
  const written = members.flatMap(({ at, end, key }) => (key === "marketplace" ? live : [text.slice(at, end)]))
  return members.some(({ key }) => key === "marketplace") ? written : [...written, ...live]
}

/** Replaces the live blocks of every finish. A finish without blocks is omitted. Spec: Prices. */
const withBlocks = (text: string, open: number, blocks: ReadonlyMap<string, string>): string => {
  const missing = new Map(blocks)
  const finishes = spansIn(text, open).flatMap(({ at, end, key, start }) => {
    if (text[start] !== "{") return [text.slice(at, end)]
    missing.delete(key)
    const members = withBlock(text, start, blocks.get(key))
    return members.length === 0 ? [] : [text.slice(at, start) + joinMembers(members)]
  })
  const added = [...missing].map(([finish, block]) => `${JSON.stringify(finish)}:{"marketplace":${block}}`)
  return joinMembers([...finishes, ...added])
}

/** Finds the member with a product's blocks: by finish, or those of a sealed product. */
const placeOfBlocks = (text: string): Span | undefined => {
  const objects = spansIn(text, afterSpace(text, 0)).filter(({ start }) => text[start] === "{")
  return objects.find(({ key }) => key === "pricesByFinish") ?? objects.findLast(({ key }) => key === "prices")
}

/** Replaces all live blocks in a product's text; the rest is unchanged. */
const withLiveBlocks = (bytes: Buffer, blocks: ReadonlyMap<string, string>): Buffer => {
  const text = bytes.toString()
  const place = placeOfBlocks(text)
  if (place === undefined) return bytes
  const written =
    place.key === "pricesByFinish"
      ? withBlocks(text, place.start, blocks)
      : joinMembers(withBlock(text, place.start, blocks.get("Standard")))
  return Buffer.from(text.slice(0, place.start) + written + text.slice(place.end))
}

/** Returns the live blocks in a product's text by finish, unparsed. */
const storedBlockTexts = (bytes: Buffer): ReadonlyMap<string, string> => {
  const text = bytes.toString()
  const place = placeOfBlocks(text)
  if (place === undefined) return new Map()
  const finishes = place.key === "prices" ? [{ ...place, key: "Standard" }] : spansIn(text, place.start)
  return new Map(
    finishes.flatMap(({ key: finish, start: open }) =>
      (text[open] === "{" ? spansIn(text, open) : []).flatMap(({ end, key, start }) =>
        key === "marketplace" ? [[finish, text.slice(start, end)] as const] : []
      )
    )
  )
}

const word = Buffer.from('"marketplace"')
const viewAsBuffer = (text: Uint8Array) => Buffer.from(text.buffer, text.byteOffset, text.byteLength)
const hasBlocks = (text: Uint8Array) => viewAsBuffer(text).includes(word)

/** Creates the shelf that was live at the start, whose live blocks define the first listings. `isMade` is true for generated blocks. Others are checked on demand. */
export const makeInitialShelf = (shelf: ProductShelf, deployment: number, isMade: boolean) => {
  const checked = new Int8Array(isMade ? 0 : shelf.size)
  return {
    deployment,
    shelf,
    /** True if the product's listings reproduce its live blocks. */
    agrees: (index: number) => {
      if (isMade) return true
      checked[index] ||=
        !hasBlocks(shelf.text(index)) || checkBlocks(readRecord(shelf.text(index))).contradicting === 0 ? 1 : -1
      return checked[index] === 1
    },
    /** The listings in the product's live blocks. */
    listings: (index: number) => {
      const text = shelf.text(index)
      return hasBlocks(text) ? inventedListings(readRecord(text)) : []
    }
  }
}
export type InitialShelf = ReturnType<typeof makeInitialShelf>

/** Returns the products of a shelf whose listings changed or are in the state. Called for every text. */
const touchedPlaces = ({ find, size }: ProductShelf, touched: ReadonlyArray<number>) => {
  const places = new Uint8Array(size)
  let seen = 0
  return (index: number): boolean => {
    for (; seen < touched.length; seen++) {
      const place = find(String(touched[seen]))
      if (place !== undefined) places[place] = 1
    }
    return places[index] === 1
  }
}

/** Returns a deployment's shelf with computed live blocks. Texts whose blocks are correct are the stored ones. */
export const livingShelf = (
  base: ProductShelf,
  initial: InitialShelf,
  { blocksOf, touched }: Pick<LiveOffers["Service"], "blocksOf" | "touched">
): ProductShelf => {
  const isFirst = base === initial.shelf
  const isTouched = touchedPlaces(base, touched)

  /** Returns the text with computed live blocks; undefined if the stored ones are correct. */
  const rewritten = (index: number): Buffer | undefined => {
    const isUntouched = !isTouched(index)
    if (isUntouched && (isFirst ? initial.agrees(index) : base.hasBlocksOf?.(index, initial.deployment) === true)) {
      return undefined
    }
    const productId = base.id(index)
    const place = isFirst ? index : initial.shelf.find(String(productId))
    if (isUntouched && place !== undefined && initial.agrees(place)) {
      const before = viewAsBuffer(initial.shelf.text(place))
      const now = viewAsBuffer(base.text(index))
      return before.equals(now) ? undefined : withLiveBlocks(now, storedBlockTexts(before))
    }
    const blocks = blocksOf(productId, () => (place === undefined ? [] : initial.listings(place)))
    return withLiveBlocks(viewAsBuffer(base.text(index)), blocks)
  }
  return {
    ...base,
    text: (index) => rewritten(index) ?? base.text(index),
    worded: (index, rule) => {
      const text = rewritten(index)
      if (text === undefined) return base.worded(index, rule)
      return rule === null ? text : renameKeys(text, rule)
    }
  }
}

/** Returns a game with computed live blocks, and what loads the shelf of its first listings. */
export const livingGame = (stored: StoredGame, start: LiveAtStart, live: LiveOffers["Service"]) => {
  const first = start === "first" ? 0 : stored.deployments.length - 1
  let known: Promise<InitialShelf> | undefined
  const load = () =>
    (known ??= stored
      .open(first)
      .then(({ products }) => makeInitialShelf(products, first, stored.blocksAgree === true)))
  return {
    load,
    stored: {
      ...stored,
      open: keepRecent(2, async (deployment: number) => {
        const { shelf, ...shown } = await load()
        const opened =
          deployment === first ? { ...(await stored.open(first)), products: shelf } : await stored.open(deployment)
        return { ...opened, products: livingShelf(opened.products, { shelf, ...shown }, live) }
      })
    }
  }
}
export type LivingGame = ReturnType<typeof livingGame>

/** Counts live blocks in the catalogue, and those that contradict themselves. */
export const countBlocks = async (games: ReadonlyArray<LivingGame>) => {
  const counted = { blocks: 0, contradicting: 0 }
  for (const { stored, load } of games) {
    if (stored.blocksAgree === true) continue
    // One after the other: each may have to be unpacked.
    // oxlint-disable-next-line no-await-in-loop
    const { shelf } = await load()
    for (let index = 0; index < shelf.size; index++) {
      const { blocks, contradicting } = checkBlocks(readRecord(shelf.text(index)))
      counted.blocks += blocks
      counted.contradicting += contradicting
    }
  }
  return counted
}
