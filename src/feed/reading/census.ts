import type { OffsetPagination } from "../client/pageCalls.ts"

/** A list of ids in their order, eight bytes each; NaN if a record has no usable id. */
export class IdList {
  #ids = new Float64Array(1024)
  #count = 0

  push(id: unknown): void {
    if (this.#count === this.#ids.length) {
      const larger = new Float64Array(this.#count * 2)
      larger.set(this.#ids)
      this.#ids = larger
    }
    this.#ids[this.#count++] = Number.isSafeInteger(id) ? Number(id) : Number.NaN
  }

  all(): Float64Array {
    return this.#ids.subarray(0, this.#count)
  }
}

/** The census figures of a page: its offset, the number of its records and their ids (NaN: no usable id). */
export interface CountedPage {
  readonly pagination: OffsetPagination
  readonly received: number
  readonly ids: ReadonlyArray<number>
}

const maxNamed = 5

/**
 * Counts an offset list in pages of `limit`: distinct ids = `total`, no duplicates, none missing. Uses eight bytes per
 * record. `list` is its name in messages. Design: decision 2.
 */
export const makeCensus = (list: string, limit: number) => {
  const ids = new IdList()
  let total: number | null = null
  let closed = false

  return {
    /** Adds the next page, in order. Returns the first fault as text; null if there is none. */
    add: ({ pagination, received, ids: pageIds }: CountedPage): string | null => {
      const at = `${list} at offset ${pagination.offset}`
      total ??= pagination.total
      for (let at = 0; at < received; at++) ids.push(pageIds[at])
      if (pagination.total !== total) return `total changed from ${total} to ${pagination.total} in ${at}`
      if (pagination.limit !== limit) return `limit ${pagination.limit} instead of ${limit} in ${at}`
      const expected = Math.min(limit, Math.max(0, total - pagination.offset))
      if (received !== expected) return `${received} records instead of ${expected} in ${at}`
      const isLast = pagination.offset + limit >= total
      if (isLast) closed = true
      if (isLast && pagination.hasMore) return `hasMore is true past the total of ${total} in ${at}`
      if (!isLast && !pagination.hasMore) return `hasMore is false before the total of ${total} in ${at}`
      return null
    },
    /** Sets the ids of a page that was added without ids. */
    name: (offset: number, pageIds: ReadonlyArray<number>) => ids.all().set(pageIds, offset),
    /** Returns the faults of the complete list; empty if it adds up. */
    close: (): ReadonlyArray<string> => {
      const all = ids.all()
      if (!closed || all.length !== total) return [`total ${total} but ${all.length} records in ${list}`]
      const twice = duplicates(all)
      if (twice.length === 0) return []
      const named = twice.slice(0, maxNamed).map((id) => `${id} (offsets ${findPositions(all, id).join(", ")})`)
      const more = twice.length > maxNamed ? ` and ${twice.length - maxNamed} more` : ""
      return [`total ${total} but ${distinct(all)} distinct in ${list}; twice: ${named.join(", ")}${more}`]
    }
  }
}

export type Census = ReturnType<typeof makeCensus>

/** Ids that occur more than once, each listed once. NaN, a record without an id, equals nothing. */
export const duplicates = (ids: Float64Array): ReadonlyArray<number> => {
  const sorted = ids.slice().sort()
  const twice: Array<number> = []
  for (let at = 1; at < sorted.length; at++) {
    const id = sorted[at]
    if (id !== undefined && id === sorted[at - 1] && twice.at(-1) !== id) twice.push(id)
  }
  return twice
}

const distinct = (ids: Float64Array): number => {
  const sorted = ids.slice().sort()
  return sorted.reduce((sum, id, at) => (at > 0 && id === sorted[at - 1] ? sum : sum + 1), 0)
}

const findPositions = (ids: Float64Array, id: number): ReadonlyArray<number> => {
  const positions: Array<number> = []
  for (let at = ids.indexOf(id); at !== -1 && positions.length < maxNamed; at = ids.indexOf(id, at + 1)) {
    positions.push(at)
  }
  return positions
}
