import { afterSpace, type Span, spansIn } from "../../feed/contract/jsonSpans.ts"

const objectOf = (members: ReadonlyArray<string>): string => `{${members.join(",")}}`

/** The blocks of one finish with this live block in the place of the stored one, or without any. */
const withBlock = (text: string, open: number, block: string | undefined): ReadonlyArray<string> => {
  const live = block === undefined ? [] : [`"marketplace":${block}`]
  const members = spansIn(text, open)
  const written = members.flatMap(({ at, end, key }) => (key === "marketplace" ? live : [text.slice(at, end)]))
  return members.some(({ key }) => key === "marketplace") ? written : [...written, ...live]
}

/** Blocks by finish: a finish without a block is left out. Spec: Prices. */
const withBlocks = (text: string, open: number, blocks: ReadonlyMap<string, string>): string => {
  const missing = new Map(blocks)
  const finishes = spansIn(text, open).flatMap(({ at, end, key, start }) => {
    if (text[start] !== "{") return [text.slice(at, end)]
    missing.delete(key)
    const members = withBlock(text, start, blocks.get(key))
    return members.length === 0 ? [] : [text.slice(at, start) + objectOf(members)]
  })
  const added = [...missing].map(([finish, block]) => `${JSON.stringify(finish)}:{"marketplace":${block}}`)
  return objectOf([...finishes, ...added])
}

/** The member that has a product's blocks: by finish, or those of a sealed product. */
const placeOfBlocks = (text: string): Span | undefined => {
  const objects = spansIn(text, afterSpace(text, 0)).filter(({ start }) => text[start] === "{")
  return objects.find(({ key }) => key === "pricesByFinish") ?? objects.findLast(({ key }) => key === "prices")
}

/** A product's text with these live blocks by finish, and no others; all else stays as it is. */
export const withLiveBlocks = (bytes: Buffer, blocks: ReadonlyMap<string, string>): Buffer => {
  const text = bytes.toString()
  const place = placeOfBlocks(text)
  if (place === undefined) return bytes
  const written =
    place.key === "pricesByFinish"
      ? withBlocks(text, place.start, blocks)
      : objectOf(withBlock(text, place.start, blocks.get("Standard")))
  return Buffer.from(text.slice(0, place.start) + written + text.slice(place.end))
}

/** The live blocks that a product's text has, by finish, as they are written. */
export const storedBlockTexts = (bytes: Buffer): ReadonlyMap<string, string> => {
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
