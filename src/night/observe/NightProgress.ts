import type { PageKind } from "../../feed/contract/records.ts"
import type { Verdict } from "./RunReport.ts"

/** How far a game of the night is. Pages and records while it is read; `pagesTotal` is null until it is known. */
export type NightEvent =
  | {
      readonly gameId: string
      readonly stage: "reading"
      readonly kind: PageKind
      readonly pagesDone: number
      readonly pagesTotal: number | null
      readonly records: number
      /** When the list will have been read, if that is known. */
      readonly expectedEndAt: string | null
    }
  | { readonly gameId: string; readonly stage: "loading" | "comparing"; readonly records: number }
  /** Publishing: the snapshot is ready and waits for those of the other games. */
  | { readonly gameId: string; readonly stage: Verdict | "publishing" }

export type NightProgress = (event: NightEvent) => void
