/** Where a page starts and how long it may be, as the answer echoes it. */
export interface OffsetPlace {
  readonly offset: number
  readonly limit: number
}

const open = Buffer.from('{"data":[')
const comma = Buffer.from(",")

/** An offset page assembled from stored texts: one line, nothing encoded again. Spec: Endpoints, offset pagination. */
export const offsetBody = (
  { offset, limit }: OffsetPlace,
  total: number,
  text: (place: number) => Uint8Array
): Uint8Array => {
  const parts: Array<Uint8Array> = [open]
  const end = Math.min(offset + limit, total)
  for (let place = offset; place < end; place++) {
    if (place > offset) parts.push(comma)
    parts.push(text(place))
  }
  const pagination = JSON.stringify({ offset, limit, total, hasMore: end < total })
  parts.push(Buffer.from(`],"pagination":${pagination}}`))
  return Buffer.concat(parts)
}
