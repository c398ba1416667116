import { Effect } from "effect"
import type { Html } from "../pages/html.ts"
import { choiceLinks } from "./pageChoices.ts"
import { addressWith, choiceOf, type PageRequest } from "./PageRequest.ts"
import { queryNamed } from "./queryNamed.ts"

const readDays = queryNamed("read_days")

/** Spans that a chart can be asked for, in days; the first one is shown unless the address names another. */
const spans = ["90", "7", "30", "365", "all"] as const
const inOrder: ReadonlyArray<readonly [span: (typeof spans)[number], label: string]> = [
  ["7", "7 d"],
  ["30", "30 d"],
  ["90", "90 d"],
  ["365", "1 y"],
  ["all", "All"]
]

/** Which days the charts of a page show. */
export interface ChartSpan {
  /** The first day; null = all of them. */
  readonly from: string | null
  /** The last day read before it, whose prices hold on it; null = all days count. */
  readonly readFrom: string | null
  /** Links to the other spans, where there is more than a week to choose from. */
  readonly links: Html | false
}

/**
 * The span that the address names. A span that has every day is the same as all. `product` null: its own history, as the
 * service tells it, does not count.
 */
export const chartSpan = Effect.fnUntraced(function* (asked: PageRequest, game: string, product: bigint | null) {
  const wanted = yield* choiceOf(asked, "span", spans)
  const days = wanted === "all" ? null : Number(wanted)
  const [read = {}] = yield* asked.lake.rows("Look at the days read", readDays, { game, id: product, days })
  const extent = Number(read["extent"] ?? 0)
  const isAll = days === null || days >= extent
  const current = isAll ? "all" : wanted
  const offered = inOrder.filter(([span]) => span === "all" || Number(span) < extent)
  const links =
    offered.length > 1 &&
    choiceLinks(
      "Days of the charts",
      offered.map(([span, label]) => [
        label,
        `${addressWith(asked, { span: span === "90" ? null : span })}#chart`,
        span === current
      ]),
      " spans"
    )
  return {
    from: isAll ? null : String(read["from_day"]),
    readFrom: isAll ? null : String(read["read_from"]),
    links
  } satisfies ChartSpan
})
