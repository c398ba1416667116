import { join } from "node:path"
import { Clock, DateTime, Effect, Schema } from "effect"
import { readCurrent } from "../../store/home/Home.ts"
import { writeJson } from "../../store/home/jsonFile.ts"
import { snapshotsOfGame } from "../../store/lake/GameNotInLake.ts"
import { sqlText } from "../../store/lake/duckdb/Lake.ts"
import { openLake } from "../../store/lake/publish/openLake.ts"
import { alone, onlyOwner, ownPaths, readOwnDocument } from "./Own.ts"
import { Fault } from "../../feed/contract/Fault.ts"

/** The columns of view `id_audit` that identify a finding. */
const key = {
  gameId: Schema.String,
  productId: Schema.Int,
  kind: Schema.String,
  system: Schema.String,
  finish: Schema.NullOr(Schema.String),
  externalId: Schema.NullOr(Schema.String)
}

/** A finding of the id audit that a person has looked up and found to be right. */
export const ConfirmedId = Schema.Struct({
  ...key,
  /** What was checked; null if no reason was given. */
  why: Schema.NullOr(Schema.String),
  confirmedAt: Schema.String
})
export type ConfirmedId = typeof ConfirmedId.Type

/** `own/confirmed-ids.json`. Nights never write it; a finding whose id changes is another finding. */
const ConfirmedIds = Schema.Struct({ confirmed: Schema.Array(ConfirmedId) })

/** The findings of a game that a person means: those of an id, of a product, or of both. */
export interface MeantIds {
  readonly gameId: string
  readonly externalId: string | null
  readonly productId: number | null
  /** Null = every kind. */
  readonly kind: string | null
}

const documentPath = Effect.map(ownPaths, ({ root }) => join(root, "confirmed-ids.json"))

/** Reads the findings that a person has confirmed to be right. */
export const readConfirmedIds = Effect.gen(function* () {
  const next = "The lake is not affected. Restore the file from a backup, or move it away and confirm the ids again"
  return (yield* readOwnDocument(yield* documentPath, ConfirmedIds, { confirmed: [] }, next)).confirmed
})

const isMeant =
  ({ externalId, gameId, kind, productId }: MeantIds) =>
  (one: ConfirmedId): boolean =>
    one.gameId === gameId &&
    (externalId === null || one.externalId === externalId) &&
    (productId === null || one.productId === productId) &&
    (kind === null || one.kind === kind)

const keyText = ({ externalId, finish, gameId, kind, productId, system }: ConfirmedId): string =>
  JSON.stringify([gameId, productId, kind, system, finish, externalId])

/** Finds the meant findings in the lake. */
const findMeant = Effect.fnUntraced(function* ({ externalId, gameId, kind, productId }: MeantIds) {
  const { rows } = yield* openLake
  const found = yield* rows(
    "Find the findings",
    `from id_audit where game_id = ${sqlText(gameId)}
      and ${externalId === null ? "true" : `external_id = ${sqlText(externalId)}`}
      and ${productId === null ? "true" : `product_id = ${productId}`}
      and ${kind === null ? "true" : `kind = ${sqlText(kind)}`}
     order by kind, system, external_id, product_id, finish`
  )
  const text = (value: unknown) => (value === null ? null : String(value))
  return found.map((row) => ({
    gameId,
    productId: Number(row["product_id"]),
    kind: String(row["kind"]),
    system: String(row["system"]),
    finish: text(row["finish"]),
    externalId: text(row["external_id"])
  }))
}, Effect.scoped)

const change = <A, E, R>(run: (confirmed: ReadonlyArray<ConfirmedId>) => Effect.Effect<A, E, R>) =>
  alone(Effect.flatMap(readConfirmedIds, run))

const write = Effect.fnUntraced(function* (confirmed: ReadonlyArray<ConfirmedId>) {
  yield* writeJson(yield* documentPath, ConfirmedIds, { confirmed }, onlyOwner)
})

/** Stores that these findings are right, and returns them. Confirming again replaces the reason. */
export const confirmIds = Effect.fn("confirmIds")(function* (meant: MeantIds, why: string | null) {
  const found = yield* findMeant(meant)
  if (found.length === 0) {
    yield* snapshotsOfGame(meant.gameId, yield* readCurrent)
    return yield* new Fault(
      "NoSuchFinding",
      `The id audit of ${meant.gameId} has no such finding. See all: cardlake query "from id_audit"`
    )
  }
  const confirmedAt = DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
  const added = found.map((one): ConfirmedId => Object.assign(one, { why, confirmedAt }))
  const keys = new Set(added.map(keyText))
  return yield* change((before) =>
    Effect.as(write([...before.filter((one) => !keys.has(keyText(one))), ...added]), added)
  )
})

/** Takes back that these findings are right, and returns them: the audit reports them again. */
export const doubtIds = Effect.fn("doubtIds")(function* (meant: MeantIds) {
  return yield* change(
    Effect.fnUntraced(function* (before) {
      const removed = before.filter(isMeant(meant))
      if (removed.length === 0) {
        yield* snapshotsOfGame(meant.gameId, yield* readCurrent)
        return yield* new Fault(
          "NoSuchFinding",
          `No such finding of ${meant.gameId} is confirmed. List those that are: cardlake audit list`
        )
      }
      yield* write(before.filter((one) => !removed.includes(one)))
      return removed
    })
  )
})
