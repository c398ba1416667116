import type { BrokenRecord } from "../rows/brokenRecords.ts"
import { card, expansion } from "../rows/records.ts"
import { pageSize, type SentList } from "../rows/sendRecords.ts"

const good = (record: (id: number) => object): BrokenRecord => ({
  name: "good",
  text: (id) => JSON.stringify(record(id)),
  refusedAt: [],
  hasId: true
})
const fillers = { products: good(card), expansions: good(expansion) }

/** Puts each group of records on pages of its own, and fills these up with small good records. */
export const pagesApart = (
  list: SentList,
  groups: Iterable<ReadonlyArray<BrokenRecord>>
): ReadonlyArray<BrokenRecord> =>
  [...groups].flatMap((group) => {
    const length = Math.ceil(group.length / pageSize) * pageSize
    return Array.from({ length }, (_, place) => group[place] ?? fillers[list])
  })
