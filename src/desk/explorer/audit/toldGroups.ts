import { Effect } from "effect"
import type { LakeView, Row } from "../LakeReader.ts"
import { queryNamed } from "../queryNamed.ts"

const told = queryNamed("audit/told")

/** Reads a page of the groups of findings, and then what the feed says of these alone. */
export const toldGroups =
  ({ rows }: LakeView, gameId: string): LakeView["rows"] =>
  (step, sql, parameters) =>
    Effect.gen(function* () {
      const groups = yield* rows(step, sql, parameters)
      if (groups.length === 0) return groups
      const placed = groups.map((group, place) => Object.assign({ place }, group))
      const found = yield* rows("Read what the feed says of them", told, {
        game: gameId,
        groups: JSON.stringify(placed)
      })
      const byPlace = new Map(found.map((row) => [Number(row["place"]), row]))
      return placed.map((group): Row => Object.assign(group, byPlace.get(group.place)))
    })
