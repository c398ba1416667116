import { Effect } from "effect"
import type { Session } from "../store/lake/duckdb/Lake.ts"
import type { Destination } from "./destination/Destination.ts"
import type { Drop } from "./drop/Drop.ts"
import type { Format } from "./formats.ts"

/** How a drop's format reads its tables' own metadata; null in plain files. */
export const readTables = Effect.fnUntraced(function* (
  session: Session,
  to: Destination,
  drop: Drop,
  keptAs: Format,
  stage: string
) {
  return keptAs.tables === null ? null : yield* keptAs.tables.read(session, to, drop, stage)
})
