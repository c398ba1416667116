import type { ServerResponse } from "node:http"
import { sendJson, type Asked } from "../client/StrangeServer.ts"
import { card, expansion } from "../rows/records.ts"

/** How a test changes the small feed. `round` counts how often the list of expansions was begun. */
export interface Feed {
  readonly head?: (round: number) => string
  readonly products?: (round: number) => ReadonlyArray<unknown>
  readonly total?: (round: number, offset: number) => number
  readonly hasMore?: boolean
  /** Records of the page at an offset, whatever limit was asked for; default 200. */
  readonly pageSize?: (offset: number) => number
}

const counts = { added: 0, modified: 0, removed: 0 }
/** A changelog entry that claims nothing. */
export const entry = (id: string) => ({
  id,
  deployedAt: "2026-01-01T00:00:00Z",
  summary: { products: counts, expansions: counts }
})
/** Cards 1 to `count`, each with the given fields. */
export const cards = (count: number, fields: Readonly<Record<string, unknown>> = {}): ReadonlyArray<unknown> =>
  Array.from({ length: count }, (_, id) => card(id + 1, fields))

/** Answers from the feed as the marketplace would. */
export const serve = ({
  hasMore,
  head = () => "d1",
  pageSize = () => 200,
  products = () => cards(450),
  total
}: Feed = {}) => {
  let round = 0
  return ({ path, query }: Asked, response: ServerResponse) => {
    const offset = Number(query.get("offset") ?? 0)
    const limit = pageSize(offset)
    const offsetPage = (all: ReadonlyArray<unknown>, size = all.length) =>
      sendJson(response, {
        data: all.slice(offset, offset + limit),
        pagination: { offset, limit, total: size, hasMore: hasMore ?? offset + limit < size }
      })
    if (path === "/v1/games") return sendJson(response, { data: [{ id: "fable", name: "Fable" }] })
    if (path.endsWith("/expansions")) {
      round += 1
      return offsetPage([expansion(1), expansion(2)], 2)
    }
    if (path === "/v1/products/search") {
      const all = products(round)
      return offsetPage(all, total?.(round, offset) ?? all.length)
    }
    const older = query.get("limit") === "1" ? [] : [entry("d0"), entry("d-1")]
    return sendJson(response, { data: [entry(head(round)), ...older], pagination: { nextCursor: null } })
  }
}
