import type { BrokenRecord } from "./brokenRecords.ts"
import { card, expansion } from "./records.ts"
import { pageSize, type SentList } from "./sendRecords.ts"

const good = (record: (id: number) => object): BrokenRecord => ({
  name: "good",
  text: (id) => JSON.stringify(record(id)),
  refusedAt: [],
  hasId: true
})
const fillers = { products: good(card), expansions: good(expansion) }

/** Groups of records, each on pages of its own that small good records fill up. */
export const pagesApart = (
  list: SentList,
  groups: Iterable<ReadonlyArray<BrokenRecord>>
): ReadonlyArray<BrokenRecord> =>
  [...groups].flatMap((group) => {
    const length = Math.ceil(group.length / pageSize) * pageSize
    return Array.from({ length }, (_, place) => group[place] ?? fillers[list])
  })
