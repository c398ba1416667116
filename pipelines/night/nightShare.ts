import type { NightEvent } from "../../src/night/observe/NightProgress.ts"

/** Where in a game's night each stage begins and ends, by the time that it takes. */
const stages: Readonly<Record<string, readonly [from: number, to: number]>> = {
  games: [0, 0],
  changelog: [0, 0.02],
  expansions: [0.02, 0.05],
  products: [0.05, 0.85],
  feedExpansions: [0, 0.02],
  catalog: [0.02, 0.4],
  prices: [0.4, 0.85],
  loading: [0.85, 0.93],
  comparing: [0.93, 0.97],
  publishing: [0.97, 1]
}

/** How much of a game's night is done. A list that is read again says less; whoever shows it keeps the most. */
export const nightShare = (event: NightEvent): number => {
  const name = event.stage === "reading" ? event.kind : event.stage
  const [from, to] = stages[name] ?? [1, 1]
  if (event.stage !== "reading" || event.pagesTotal === null || event.pagesTotal === 0) return from
  return from + ((to - from) * Math.min(event.pagesDone, event.pagesTotal)) / event.pagesTotal
}
