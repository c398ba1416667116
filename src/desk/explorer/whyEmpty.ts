import { Effect } from "effect"
import type { LakeError } from "../../feed/reading/LakeError.ts"
import type { PriceNeed } from "../../feed/schema/tableFile.ts"
import type { PageRequest } from "./PageRequest.ts"
import type { Parameters } from "./LakeReader.ts"
import { queryNamed } from "./queryNamed.ts"

/** The readings that movers compares, by game. */
export const comparedDays = queryNamed("compared_days")

/** Why a question about prices has no rows: columns `game_id`, `cause` and `says`, a sentence without its end. */
export const whyEmpty = `with compared as (\n${comparedDays}\n)${queryNamed("movers/why_empty")}`

/** What the question asked for. */
export interface AskedFor {
  /** Null = every game. */
  readonly game: string | null
  readonly needs: ReadonlyArray<PriceNeed>
  readonly source?: string | null
  /** What the answer calls it; default: as it was asked for. */
  readonly sourceTitle?: string | null
  readonly days?: number
  /** Days, 2026-05-01; null = not chosen. */
  readonly since?: string | null
  readonly until?: string | null
  readonly minPrice?: string
  readonly minListings?: number
  /** Whether the service's own history stands in for a reading that is not old enough. */
  readonly withHistory?: boolean
  /** What else leaves out moves, as it follows their number. */
  readonly rest?: string
}

/** The parameters of {@link whyEmpty}. */
export const whyParameters = (asked: AskedFor): Parameters => ({
  game: asked.game,
  needs: asked.needs.join(),
  source: asked.source ?? null,
  source_title: asked.sourceTitle ?? asked.source ?? null,
  days: asked.days ?? 7,
  since: asked.since ?? null,
  until: asked.until ?? null,
  min_price: asked.minPrice ?? "0",
  min_listings: asked.minListings ?? 0,
  with_history: asked.withHistory ?? false,
  rest: asked.rest ?? "by the rest of the query"
})

/** The cause as a page shows it; `otherwise` where there is none, and the list is empty because of what was chosen. */
export const whyNone = (
  { lake }: PageRequest,
  of: AskedFor,
  otherwise = "Nothing matches."
): Effect.Effect<string, LakeError> =>
  Effect.map(lake.rows("See why nothing is listed", whyEmpty, whyParameters(of)), ([row]) =>
    (row?.["says"] ?? null) === null ? otherwise : `Nothing to list: ${String(row?.["says"])}.`
  )
