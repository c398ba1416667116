import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { catalogueTables } from "../../src/feed/schema/snapshotTables.ts"
import { publishedState, soakNight, type Published } from "./soakHome.ts"
import { newFolder } from "../support/suite.ts"

/** A game's fault-free snapshot at each of its places. */
export type References = Readonly<Record<string, ReadonlyArray<Published>>>

/** Reads every deployment of every game without faults. Each game must have `places` of them. */
export const readReferences = Effect.fnUntraced(function* (
  catalogue: string,
  gameIds: ReadonlyArray<string>,
  places: number
) {
  const references: Record<string, Array<Published>> = {}
  const root = yield* newFolder
  for (let place = 0; place < places; place++) {
    const night = yield* soakNight(root, catalogue, Object.fromEntries(gameIds.map((gameId) => [gameId, place])))
    const verdicts = night.report?.games.map(({ refused, verdict }) => [verdict, refused])
    assert.deepStrictEqual(
      verdicts,
      gameIds.map(() => ["published", 0]),
      JSON.stringify(night.fault ?? night.report)
    )
    const { snapshots } = yield* publishedState(root)
    for (const gameId of gameIds) {
      const published = snapshots[gameId]
      if (published !== undefined) (references[gameId] ??= []).push(published)
    }
  }
  return references satisfies References
}, Effect.scoped)

/** Tables of a snapshot that differ from the reference, of those that one deployment must have byte for byte. */
const differentTables = (reference: Published, published: Published) =>
  [...catalogueTables].filter((table) => {
    const sum = published.tables[table]
    return sum !== undefined && sum !== reference.tables[table]
  })

/** The place whose fault-free snapshot this one equals; else why it equals none. */
export const placeOfSnapshot = (references: ReadonlyArray<Published>, published: Published): number | string => {
  const place = references.findIndex((reference) => differentTables(reference, published).length === 0)
  if (place === -1) {
    const nearest = references.map((reference) => differentTables(reference, published))
    const fewest = nearest.reduce((best, tables) => (tables.length < best.length ? tables : best))
    return `equal to no deployment; it differs from place ${nearest.indexOf(fewest)} in ${fewest.join(", ")}`
  }
  return references[place]?.deploymentId === published.deploymentId
    ? place
    : `the tables of place ${place} under the deployment ${published.deploymentId}`
}
