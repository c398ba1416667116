import { DateTime, Effect, Schema } from "effect"
import { Fault } from "../../feed/contract/Fault.ts"
import { readCurrent } from "../../store/home/Home.ts"
import { snapshotsOfGame, openLake } from "../../store/lake/publish/openLake.ts"
import { sqlText } from "../../store/lake/duckdb/Lake.ts"
import { alone, ownDocument } from "./Own.ts"

/** A finding of the id audit that a person has looked up and found to be right: its columns in view `id_audit`. */
const ConfirmedId = Schema.Struct({
  gameId: Schema.String,
  productId: Schema.Int,
  kind: Schema.String,
  system: Schema.String,
  finish: Schema.NullOr(Schema.String),
  externalId: Schema.NullOr(Schema.String),
  /** What was checked; null if no reason was given. */
  why: Schema.NullOr(Schema.String),
  confirmedAt: Schema.String
})
export type ConfirmedId = typeof ConfirmedId.Type

/** Reads and writes the confirmed findings. Nights never write them; a finding whose id changes is another finding. */
const confirmedFile = ownDocument(
  "confirmed-ids.json",
  Schema.Struct({ confirmed: Schema.Array(ConfirmedId) }),
  { confirmed: [] },
  "The lake is not affected. Restore the file from a backup, or move it away and confirm the ids again"
)

/** Reads the findings that a person has confirmed to be right. */
export const readConfirmedIds = Effect.map(confirmedFile.read, ({ confirmed }) => confirmed)

/** The findings of a game that a person means: those of an id, of a product, or of both. */
export interface MeantIds {
  readonly gameId: string
  readonly externalId: string | null
  readonly productId: number | null
  /** Null = every kind. */
  readonly kind: string | null
}

type Finding = Omit<ConfirmedId, "why" | "confirmedAt">

const isMeant =
  ({ externalId, gameId, kind, productId }: MeantIds) =>
  (one: Finding): boolean =>
    one.gameId === gameId &&
    (externalId === null || one.externalId === externalId) &&
    (productId === null || one.productId === productId) &&
    (kind === null || one.kind === kind)

const keyText = ({ externalId, finish, gameId, kind, productId, system }: Finding): string =>
  JSON.stringify([gameId, productId, kind, system, finish, externalId])

const findMeant = Effect.fnUntraced(function* (meant: MeantIds) {
  const { rows } = yield* openLake
  const found = yield* rows(
    "Find the findings",
    `select game_id as "gameId", product_id::double as "productId", kind, system, finish, external_id as "externalId"
     from id_audit where game_id = ${sqlText(meant.gameId)} order by kind, system, external_id, product_id, finish`
  )
  return (found as ReadonlyArray<unknown> as ReadonlyArray<Finding>).filter(isMeant(meant))
}, Effect.scoped)

/** Fails because a game has no such finding, or because the lake has no such game. */
const noFinding = Effect.fnUntraced(function* (gameId: string, what: string) {
  yield* snapshotsOfGame(gameId, yield* readCurrent)
  return yield* new Fault("NoSuchFinding", what)
})

/** Stores that these findings are right, and returns them. Confirming again replaces the reason. */
export const confirmIds = Effect.fn("confirmIds")(function* (meant: MeantIds, why: string | null) {
  const { gameId } = meant
  const found = yield* findMeant(meant)
  if (found.length === 0)
    return yield* noFinding(
      gameId,
      `The id audit of ${gameId} has no such finding. See all: cardlake query "from id_audit"`
    )
  const confirmedAt = DateTime.formatIso(yield* DateTime.now)
  const added = found.map((one): ConfirmedId => Object.assign(one, { why, confirmedAt }))
  const keys = new Set(added.map(keyText))
  const store = Effect.flatMap(readConfirmedIds, (before) =>
    confirmedFile.write({ confirmed: [...before.filter((one) => !keys.has(keyText(one))), ...added] })
  )
  return yield* alone(Effect.as(store, added))
})

/** Takes back that these findings are right, and returns them: the audit reports them again. */
export const doubtIds = Effect.fn("doubtIds")(function* (meant: MeantIds) {
  const { gameId } = meant
  return yield* alone(
    Effect.gen(function* () {
      const before = yield* readConfirmedIds
      const removed = before.filter(isMeant(meant))
      if (removed.length === 0)
        return yield* noFinding(
          gameId,
          `No such finding of ${gameId} is confirmed. List those that are: cardlake audit list`
        )
      yield* confirmedFile.write({ confirmed: before.filter((one) => !removed.includes(one)) })
      return removed
    })
  )
})
