import { Effect, Struct } from "effect"
import type { LakeError } from "../../feed/reading/LakeError.ts"
import type { PriceNeed } from "../../feed/schema/tableFile.ts"
import type { PageRequest } from "./PageRequest.ts"
import type { Parameters } from "./LakeReader.ts"
import { queryNamed } from "./queryNamed.ts"

/** Query of the readings that movers compares, by game. */
export const comparedDays = queryNamed("compared_days")

/** Query of why a question about prices has no rows: `game_id`, `cause`, and `says`, a sentence without a full stop. */
export const whyEmpty = `with compared as (\n${comparedDays}\n)${queryNamed("movers/why_empty")}`

/** The filters of a question that leave nothing out; they are the parameters of {@link whyEmpty}. */
const noFilter = {
  /** Null = every game. */
  game: null as string | null,
  needs: [] as ReadonlyArray<PriceNeed>,
  source: null as string | null,
  /** The source's name in the answer. */
  source_title: null as string | null,
  currency: null as string | null,
  days: 7,
  /** Days such as 2026-05-01. */
  since: null as string | null,
  until: null as string | null,
  min_price: "0",
  min_listings: 0,
  /** True if the service's history replaces a reading that is not old enough. */
  with_history: false,
  /** Other filters that leave out moves, as a phrase that follows their number. */
  rest: "by the rest of the query"
}
/** Returns the parameters of {@link whyEmpty}; other keys are left out. */
export const whyParameters = (question: Partial<typeof noFilter>): Parameters => {
  const { needs, source, source_title, ...rest } = { ...noFilter, ...question }
  return { ...Struct.pick(rest, filters), needs: needs.join(), source, source_title: source_title ?? source }
}
const filters = Struct.keys(Struct.omit(noFilter, ["needs", "source", "source_title"]))

/** The cause as a page shows it; `otherwise` if there is no cause, so the reader's filters leave nothing. */
export const whyNone = (
  { lake }: PageRequest,
  of: Partial<typeof noFilter>,
  otherwise = "Nothing matches."
): Effect.Effect<string, LakeError> =>
  Effect.map(lake.rows("Find why the list is empty", whyEmpty, whyParameters(of)), ([row]) =>
    (row?.["says"] ?? null) === null ? otherwise : `Nothing to list: ${String(row?.["says"])}.`
  )
