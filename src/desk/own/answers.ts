import { DateTime, Effect, Schema } from "effect"
import { ownDocument } from "./Own.ts"

/** The reader's answer to which product a row means, for all rows that say the same. */
const Answer = Schema.Struct({
  /** `answer_key` of the rows. */
  key: Schema.String,
  /** Both are null for the answer that no product of the lake is meant. */
  gameId: Schema.NullOr(Schema.String),
  productId: Schema.NullOr(Schema.Int),
  answeredAt: Schema.String
})

/** Reads and writes the answers of this home. */
export const answersFile = ownDocument(
  "answers.json",
  Schema.Struct({ answers: Schema.Array(Answer) }),
  { answers: [] },
  "The lake and your cards do not depend on this file. Restore it from a backup, or move it away and answer again: cardlake collection review NAME"
)

/** An answered line of a review: the product that the rows mean, `none` of the lake, or `ask` to take an answer back. */
export interface ReviewAnswer {
  readonly key: string
  readonly product: { readonly gameId: string; readonly productId: number } | "none" | "ask"
}

const none = { gameId: null, productId: null }

/** Stores answers in place of earlier ones to the same question. Run it only where nothing else changes `own/`. */
export const storeAnswers = Effect.fnUntraced(function* (given: ReadonlyArray<ReviewAnswer>) {
  const answeredAt = DateTime.formatIso(yield* DateTime.now)
  const keys = new Map(given.map(({ key, product }) => [key, product]))
  const added = [...keys].flatMap(([key, product]) =>
    product === "ask" ? [] : [{ key, ...(product === "none" ? none : product), answeredAt }]
  )
  const { answers: before } = yield* answersFile.read
  yield* answersFile.write({ answers: [...before.filter(({ key }) => !keys.has(key)), ...added] })
  const takenBack = before.filter(({ key }) => keys.get(key) === "ask").length
  const meant = added.filter(({ productId }) => productId !== null).length
  return { answered: meant, takenBack, none: added.length - meant }
})
