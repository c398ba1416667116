interface Items {
  readonly added?: ReadonlyArray<object>
  readonly modified?: ReadonlyArray<object>
  readonly removed?: ReadonlyArray<object>
}

/** What one deployment says it touched. */
export interface Claims {
  readonly products?: Items
  readonly expansions?: Items
}

const withAll = ({ added = [], modified = [], removed = [] }: Items = {}) => ({ added, modified, removed })
const counted = (items: Items = {}) => {
  const { added, modified, removed } = withAll(items)
  return { added: added.length, modified: modified.length, removed: removed.length }
}

/** The entries, given oldest first, in the feed's order, newest first. Entry `d1` is the oldest. */
export const changelogOf = (...entries: ReadonlyArray<Claims>) =>
  entries
    .map(({ expansions, products }, index) => ({
      id: `d${index + 1}`,
      deployedAt: `2026-05-${String(index + 1).padStart(2, "0")}T04:00:00.000Z`,
      summary: { products: counted(products), expansions: counted(expansions) },
      changes: { products: withAll(products), expansions: withAll(expansions) }
    }))
    .toReversed()

/** An item that still exists, by slug and id; a removed one has its slug alone. */
export const item = (slug: string, id?: number) => (id === undefined ? { slug } : { slug, id })
