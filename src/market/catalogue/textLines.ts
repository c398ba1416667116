/** The lines of a text buffer, by place; nothing is copied. */
export interface TextLines {
  readonly size: number
  readonly line: (index: number) => Buffer
}

const newline = 10

/** Finds the lines of an NDJSON body; empty lines are left out. */
export const textLines = (body: Buffer): TextLines => {
  const bounds: Array<number> = []
  for (let start = 0; start < body.length;) {
    const found = body.indexOf(newline, start)
    const end = found === -1 ? body.length : found
    if (end > start) bounds.push(start, end)
    start = end + 1
  }
  const places = Float64Array.from(bounds)
  return {
    size: places.length / 2,
    line: (index) => body.subarray(places[index * 2], places[index * 2 + 1])
  }
}

const leadingId = /^\{"id":(-?\d{1,16})[,}]/

/** The id of a record's line without parsing it, where the id comes first as every catalogue writes it. */
export const idOfLine = (line: Buffer): string =>
  leadingId.exec(line.toString("latin1", 0, 32))?.[1] ?? String(JSON.parse(line.toString())?.["id"])
