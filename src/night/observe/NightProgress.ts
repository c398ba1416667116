import type { ExtractProgress } from "../../feed/reading/readRound.ts"
import type { Verdict } from "./RunReport.ts"

/** Progress of one game: pages and records while it is read. `pagesTotal` is null until it is known. */
export type NightEvent =
  | ({ readonly stage: "reading" } & Omit<ExtractProgress, "round" | "resumedPages" | "dialect">)
  | { readonly gameId: string; readonly stage: "loading" | "comparing"; readonly records: number }
  /** Publishing: the snapshot is ready and waits for the other games. */
  | { readonly gameId: string; readonly stage: Verdict | "publishing" }

export type NightProgress = (event: NightEvent) => void
