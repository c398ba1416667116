import { Effect, Schema } from "effect"
import { SnapshotId } from "../../contract/Ids.ts"
import type { Session } from "../../lake/duckdb/Lake.ts"
import { sqlText } from "../../lake/duckdb/sqlText.ts"
import type { Night } from "../../lake/history/nights.ts"
import type { Current } from "../../lake/publish/Current.ts"
import type { Destination } from "../destination/Destination.ts"
import { damaged, DropNight, partitionFolder, partName, readManifest, type DropState } from "./Drop.ts"
import { dropTables, nightsName, type Decimals } from "./dropTables.ts"
import { dropNightOf, madeFrom } from "./planDays.ts"
import { StateLost } from "./StateLost.ts"

/** Where to look: a drop that has lost its state of a game. */
export interface LostState {
  readonly gameId: string
  readonly decimals: Decimals
  readonly current: Current
  readonly nights: ReadonlyArray<Night>
  readonly stage: string
}

const dayMillis = 24 * 3600 * 1000

/** Every day on which the home can have read the game, taken back or not: from the ids of its runs, which say when. */
const possibleDays = ({ current, gameId, nights }: LostState): ReadonlyArray<string> => {
  const steps = current.history.filter((step) => step.gameId === gameId)
  const ids = [...(current.games[gameId]?.published ?? []), ...steps.map(({ snapshot }) => snapshot)]
  const started = ids.map((id) => id.replace(/^(\d{4})(\d{2})(\d{2}).*$/, "$1-$2-$3"))
  const times = [...started, ...nights.map(({ seenAt }) => seenAt), ...steps.map(({ at }) => at)]
    .map((at) => Date.parse(at.slice(0, 10)))
    .filter((time) => !Number.isNaN(time))
  const first = times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY)
  // A reading may end on the day after it began.
  const last = times.reduce((most, time) => Math.max(most, time), 0) + dayMillis
  const count = Number.isFinite(first) ? (last - first) / dayMillis + 1 : 0
  return Array.from({ length: count }, (_, index) => new Date(first + index * dayMillis).toISOString().slice(0, 10))
}

const NightRows = Schema.Array(
  Schema.Struct({
    ...DropNight.fields,
    counts: Schema.Boolean,
    place: Schema.NullOr(Schema.Int),
    follows: Schema.NullOr(SnapshotId)
  })
)

const asIso = (column: string, digits: string) => `strftime(${column}::timestamptz, '%Y-%m-%dT%H:%M:%S.${digits}Z')`

/** The rows of table `nights` of a day. */
const nightsIn = Effect.fnUntraced(function* (session: Session, file: string) {
  const rows = yield* session.rows(
    `Read ${file}`,
    `select snapshot_id as snapshot, ${asIso("read_at", "%g")} as "seenAt", deployment_id as "deploymentId",
       ${asIso("deployed_at", "%f")} as "deployedAt", counts, place, follows
     from read_parquet(${sqlText(file)}, hive_partitioning = false) order by place nulls first, snapshot_id`
  )
  return yield* Schema.decodeUnknownEffect(NightRows)(rows)
})

/**
 * What a drop of plain files has of a game, found again in the files: each day's table `nights` and the manifests,
 * asked for by name. A partition that does not fit is marked, so that the export writes it again.
 */
export const rebuildState = Effect.fnUntraced(function* (session: Session, to: Destination, lost: LostState) {
  const { decimals, gameId, stage } = lost
  const tables = dropTables(decimals)
  const nightsVersion = tables.find(({ name }) => name === nightsName)?.version ?? 1
  const readDay = Effect.fnUntraced(function* (dt: string) {
    const folder = partitionFolder(nightsName, nightsVersion, gameId, dt)
    if ((yield* readManifest(to, folder)) === null) return null
    const path = `${folder}/${partName}`
    const unreadable = new StateLost({ address: to.address, gameId, what: `and ${to.root}/${path} cannot be read` })
    const file = yield* to.fetch(path, stage)
    if (file === null) return yield* unreadable
    const nights = yield* Effect.mapError(nightsIn(session, file), () => unreadable)
    const counting = nights.filter(({ counts }) => counts)
    const takenBack = nights.filter(({ counts }) => !counts)
    const made: Record<string, string> = {}
    for (const table of tables) {
      const manifest = yield* readManifest(to, partitionFolder(table.name, table.version, gameId, dt))
      if (manifest === null) continue
      const wanted = (table.name === nightsName ? nights : counting).map(({ snapshot }) => snapshot)
      const isRight = manifest !== damaged && manifest.snapshots.toSorted().join() === wanted.toSorted().join()
      made[table.name] = isRight ? madeFrom(table, counting, takenBack) : damaged
    }
    return [dt, { nights: [...takenBack, ...counting].map(dropNightOf), tables: made }] as const
  })
  const days = yield* Effect.forEach(possibleDays(lost), readDay)
  return { days: Object.fromEntries(days.filter((day) => day !== null)) } satisfies DropState
})
