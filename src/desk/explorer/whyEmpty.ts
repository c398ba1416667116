import { Effect } from "effect"
import type { LakeError } from "../../feed/reading/LakeError.ts"
import type { PriceNeed } from "../../feed/schema/tableFile.ts"
import type { PageRequest } from "./PageRequest.ts"
import type { Parameters } from "./LakeReader.ts"
import { queryNamed } from "./queryNamed.ts"

/** Query of the readings that movers compares, by game. */
export const comparedDays = queryNamed("compared_days")

/** Query of why a question about prices has no rows: `game_id`, `cause`, and `says`, a sentence without a full stop. */
export const whyEmpty = `with compared as (\n${comparedDays}\n)${queryNamed("movers/why_empty")}`

/** The filters of the question. */
export interface PriceQuestion {
  /** Null = every game. */
  readonly game: string | null
  readonly needs: ReadonlyArray<PriceNeed>
  readonly source?: string | null
  /** The source's name in the answer; default: `source`. */
  readonly sourceTitle?: string | null
  /** Null = any. */
  readonly currency?: string | null
  readonly days?: number
  /** Days such as 2026-05-01; null = not set. */
  readonly since?: string | null
  readonly until?: string | null
  readonly minPrice?: string
  readonly minListings?: number
  /** True if the service's history replaces a reading that is not old enough. */
  readonly withHistory?: boolean
  /** Other filters that leave out moves, as a phrase that follows their number. */
  readonly rest?: string
}

/** The parameters of {@link whyEmpty}. */
export const whyParameters = (question: PriceQuestion): Parameters => ({
  game: question.game,
  needs: question.needs.join(),
  source: question.source ?? null,
  source_title: question.sourceTitle ?? question.source ?? null,
  currency: question.currency ?? null,
  days: question.days ?? 7,
  since: question.since ?? null,
  until: question.until ?? null,
  min_price: question.minPrice ?? "0",
  min_listings: question.minListings ?? 0,
  with_history: question.withHistory ?? false,
  rest: question.rest ?? "by the rest of the query"
})

/** The cause as a page shows it; `otherwise` if there is no cause, so the reader's filters leave nothing. */
export const whyNone = (
  { lake }: PageRequest,
  of: PriceQuestion,
  otherwise = "Nothing matches."
): Effect.Effect<string, LakeError> =>
  Effect.map(lake.rows("Find why the list is empty", whyEmpty, whyParameters(of)), ([row]) =>
    (row?.["says"] ?? null) === null ? otherwise : `Nothing to list: ${String(row?.["says"])}.`
  )
