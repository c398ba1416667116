import { isObject, type Member, membersAt } from "../wording/jsonMembers.ts"
import { afterSpace } from "../wording/jsonWalk.ts"

const objectOf = (members: ReadonlyArray<string>) => `{${members.join(",")}}`

/** The blocks of one finish with this live block in the place of the stored one, or without any. */
const withBlock = (text: Buffer, open: number, block: string | undefined): ReadonlyArray<string> => {
  const live = block === undefined ? [] : [`"marketplace":${block}`]
  const members = [...membersAt(text, open)]
  const written = members.flatMap(({ end, key, start }) =>
    key === "marketplace" ? live : [text.toString("utf8", start, end)]
  )
  return members.some(({ key }) => key === "marketplace") ? written : [...written, ...live]
}

/** Blocks by finish: a finish without a block is left out. Spec: Prices. */
const withBlocks = (text: Buffer, open: number, blocks: ReadonlyMap<string, string>): string => {
  const missing = new Map(blocks)
  const finishes = [...membersAt(text, open)].flatMap((member) => {
    const { end, key, start, value } = member
    if (!isObject(text, member)) return [text.toString("utf8", start, end)]
    missing.delete(key)
    const members = withBlock(text, value, blocks.get(key))
    return members.length === 0 ? [] : [text.toString("utf8", start, value) + objectOf(members)]
  })
  const added = [...missing].map(([finish, block]) => `${JSON.stringify(finish)}:{"marketplace":${block}}`)
  return objectOf([...finishes, ...added])
}

/** The member that has a product's blocks: by finish, or those of a sealed product. */
const placeOfBlocks = (text: Buffer): Member | undefined => {
  let prices: Member | undefined
  for (const member of membersAt(text, afterSpace(text, 0))) {
    if (!isObject(text, member)) continue
    if (member.key === "pricesByFinish") return member
    if (member.key === "prices") prices = member
  }
  return prices
}

/** A product's text with these live blocks by finish, and no others; all else stays byte for byte. */
export const withLiveBlocks = (text: Buffer, blocks: ReadonlyMap<string, string>): Buffer => {
  const place = placeOfBlocks(text)
  if (place === undefined) return text
  const written =
    place.key === "pricesByFinish"
      ? withBlocks(text, place.value, blocks)
      : objectOf(withBlock(text, place.value, blocks.get("Standard")))
  return Buffer.concat([text.subarray(0, place.value), Buffer.from(written), text.subarray(place.end)])
}

/** The live blocks that a product's text has, by finish, as they are written. */
export const storedBlockTexts = (text: Buffer): ReadonlyMap<string, string> => {
  const place = placeOfBlocks(text)
  const blocks = new Map<string, string>()
  if (place === undefined) return blocks
  const take = (finish: string, open: number) => {
    for (const { end, key, value } of membersAt(text, open)) {
      if (key === "marketplace") blocks.set(finish, text.toString("utf8", value, end))
    }
  }
  if (place.key === "prices") take("Standard", place.value)
  else for (const member of membersAt(text, place.value)) if (isObject(text, member)) take(member.key, member.value)
  return blocks
}
