import { Effect } from "effect"
import type { Column } from "../dataTable.ts"
import type { Row } from "../LakeReader.ts"
import type { PageRequest } from "../PageRequest.ts"
import { queryNamed } from "../queryNamed.ts"

const filled = queryNamed("expansion/filled")

/** What lists of a game's sets and cards can show at all. */
export const filledIn = (asked: PageRequest, gameId: string) =>
  Effect.map(asked.lake.kept(`Look at what ${gameId} has`, filled, { game: gameId }), ([row]): Row => row ?? {})

/** Columns that have a value somewhere in the game; a column says by `needs` which of its facts it shows, if not its own name. */
export const columnsFilled = (
  columns: ReadonlyArray<Column & { readonly needs?: string }>,
  has: Row
): ReadonlyArray<Column> => columns.filter(({ name, needs }) => has[needs ?? name] !== false)
