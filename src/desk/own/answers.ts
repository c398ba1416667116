import { join } from "node:path"
import { Clock, DateTime, Effect, Schema } from "effect"
import { writeJson } from "../../store/home/jsonFile.ts"
import { type Session, sqlText } from "../../store/lake/duckdb/Lake.ts"
import { onlyOwner, ownPaths, readOwnDocument } from "./Own.ts"

/** The reader's answer to which product a row means, for all rows that say the same. */
const Answer = Schema.Struct({
  /** `answer_key` of the rows. */
  key: Schema.String,
  /** Both are null for the answer that no product of the lake is meant. */
  gameId: Schema.NullOr(Schema.String),
  productId: Schema.NullOr(Schema.Int),
  answeredAt: Schema.String
})
type Answer = typeof Answer.Type

/** `own/answers.json`. */
const Answers = Schema.Struct({ answers: Schema.Array(Answer) })

const answersPath = Effect.map(ownPaths, ({ root }) => join(root, "answers.json"))

const readAnswers = Effect.flatMap(answersPath, (path) =>
  readOwnDocument(
    path,
    Answers,
    { answers: [] },
    "The lake and your cards do not depend on this file. Restore it from a backup, or move it away and answer again: cardlake collection review NAME"
  )
)

/** Makes the table `own_answers` of all answers, or of those in the game that the command names. */
export const openAnswers = Effect.fnUntraced(function* (session: Session) {
  const { answers } = yield* readAnswers
  const rows = answers.map(
    ({ gameId, key, productId }) => `(${sqlText(key)}, ${gameId === null ? "null" : sqlText(gameId)}, ${productId})`
  )
  yield* session.run(
    "Open the answers",
    `create or replace temp table own_answers as select answer_key::varchar as answer_key, game_id::varchar as game_id, product_id::bigint as product_id
     from (values ${["(null, null, null)", ...rows].join(", ")}) answers(answer_key, game_id, product_id)
     where answer_key is not null and coalesce(game_id::varchar = getvariable('own_game')::varchar, true)`
  )
})

/** An answered line of a review: the product that the rows mean, `none` of the lake, or `ask` to take an answer back. */
export interface ReviewAnswer {
  readonly key: string
  readonly product: { readonly gameId: string; readonly productId: number } | "none" | "ask"
}

const none = { gameId: null, productId: null }

/** Stores answers in place of earlier ones to the same question. Run it only where nothing else changes `own/`. */
export const storeAnswers = Effect.fnUntraced(function* (given: ReadonlyArray<ReviewAnswer>) {
  const answeredAt = DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
  const keys = new Map(given.map(({ key, product }) => [key, product]))
  const added = [...keys].flatMap(([key, product]) =>
    product === "ask" ? [] : [{ key, ...(product === "none" ? none : product), answeredAt }]
  )
  const { answers: before } = yield* readAnswers
  const kept = before.filter(({ key }) => !keys.has(key))
  yield* writeJson(yield* answersPath, Answers, { answers: [...kept, ...added] }, onlyOwner)
  const takenBack = before.filter(({ key }) => keys.get(key) === "ask").length
  const meant = added.filter(({ productId }) => productId !== null).length
  return { answered: meant, takenBack, none: added.length - meant }
})
