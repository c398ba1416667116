import { DateTime, Effect, Schema } from "effect"
import { join } from "node:path"
import { answersFile, type Collection, ownPaths, ownSql, readOwn, sqlOver } from "./Own.ts"
import { exactRows, type Session, sqlText } from "../../store/lake/duckdb/Lake.ts"
import { openLake } from "../../store/lake/publish/openLake.ts"
import { changeOwn, findCollection } from "./changeOwn.ts"
import { readResult, type Result, withImports, matchRows } from "./importCollection.ts"
import { type ReadFile, readCollectionFile } from "./readFile.ts"
import { Fault } from "../../feed/contract/Fault.ts"

/** A product that rows can be, with a market value of its finish. */
const Candidate = Schema.Struct({
  game_id: Schema.String,
  product_id: Schema.String,
  name: Schema.String,
  expansion_code: Schema.NullOr(Schema.String),
  print_number: Schema.NullOr(Schema.String),
  /** The finish that the row means, else that of the cheapest price; null if the product has neither. */
  finish: Schema.NullOr(Schema.String),
  market_value: Schema.NullOr(Schema.String),
  currency: Schema.NullOr(Schema.String),
  /** What the row says otherwise, such as `another number`. */
  differs: Schema.NullOr(Schema.String)
})

const text = Schema.NullOr(Schema.String)

/** Rows that say the same and are no product yet; a line of `collection_review()`. */
const Open = Schema.Struct({
  collection: Schema.String,
  /** Null for imports of earlier versions. */
  answer_key: text,
  reason: Schema.String,
  verdict: Schema.String,
  name: text,
  set_code: text,
  set_name: text,
  number: text,
  ids: text,
  finish_said: text,
  language: text,
  rows: Schema.FiniteFromString,
  cards: Schema.FiniteFromString,
  candidates: Schema.Array(Candidate)
})
export type Open = typeof Open.Type

/** Returns what is open in a collection. */
export const reviewCollection = Effect.fn("reviewCollection")(function* (name: string) {
  yield* findCollection((yield* readOwn).collections, name)
  const { connection, run } = yield* openLake
  yield* run("Open your own cards", (yield* ownSql) ?? "")
  const found = yield* exactRows(connection)("List what is open", `from collection_review(${sqlText(name)})`)
  return yield* Effect.orDie(Schema.decodeUnknownEffect(Schema.Array(Open))(found))
}, Effect.scoped)

/** True if a file is one that `collection review --csv` wrote, even if columns were deleted from it. */
export const isReview = ({ header }: ReadFile): boolean =>
  ["answer_key", "finish_said", "candidate_1"].some((name) => header.includes(name))

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

/** Reads the answered lines of a review; those without a product are left out. */
const readAnswers = Effect.fnUntraced(function* (file: string, { header, rows }: ReadFile, session: Session) {
  const answers: Array<ReviewAnswer> = []
  const fault = (line: number, what: string) =>
    new Fault("NotAnswered", `${file}, line ${line}: ${what}. Nothing was changed`)
  const anew = "Write the review again with: cardlake collection review NAME --csv, and fill its column product_id"
  const missing = ["answer_key", "product_id"].find((name) => !header.includes(name))
  if (missing !== undefined) return yield* fault(1, `this is a review, and its column ${missing} is missing. ${anew}`)
  for (const { cells, line } of rows()) {
    const cell = (name: string) => cells[header.indexOf(name)] ?? ""
    const [key, id, game] = [cell("answer_key"), cell("product_id"), cell("game_id")]
    if (id === "") continue
    if (key === "") return yield* fault(line, `the answer ${id} has no answer_key. ${anew}`)
    const word = id.toLowerCase()
    if (word === "none" || word === "ask") {
      answers.push({ key, product: word })
      continue
    }
    if (!/^\d{1,16}$/.test(id))
      return yield* fault(
        line,
        `${id} is no product id. Spreadsheets shorten long ids: make the column product_id a text`
      )
    const inGame = game === "" ? "" : ` and game_id = ${sqlText(game)}`
    const found = yield* session.rows(
      "Find the answer",
      `select game_id from products where product_id = ${id}${inGame} order by game_id`
    )
    const [gameId, ...more] = found.map((row) => String(row["game_id"]))
    if (gameId === undefined) {
      const product = `${id}${game === "" ? "" : ` in ${game}`}`
      return yield* fault(line, `the lake has no product ${product}. Find it with: cardlake search`)
    }
    if (more.length > 0)
      return yield* fault(
        line,
        `${id} is in several games: ${[gameId, ...more].join(", ")}. Name one in the column game_id`
      )
    answers.push({ key, product: { gameId, productId: Number(id) } })
  }
  return answers
})

/** Matches the files of a collection again, as they were imported. */
const matchAgain = Effect.fnUntraced(function* (session: Session, { imports, name }: Collection) {
  const paths = yield* ownPaths
  return yield* Effect.forEach(
    imports,
    Effect.fnUntraced(function* ({ currency = null, file, game = null, id }) {
      const read = yield* readCollectionFile(join(paths.import(id), "file"))
      return yield* matchRows(session, read, { file, game, currency }, name)
    })
  )
})

/** Stores the answers of a review, and matches every collection again that has rows which they answer. */
export const answerReview = Effect.fn("answerReview")(function* (read: ReadFile, file: string) {
  const session = yield* openLake
  const paths = yield* ownPaths
  const answers = yield* readAnswers(file, read, session)
  return yield* changeOwn(
    Effect.fnUntraced(function* (own) {
      const stored = yield* storeAnswers(answers)
      const open = sqlOver(own, paths.cards)
      if (open !== null) yield* session.run("Open your own cards", open)
      const keys = ["null", ...answers.map(({ key }) => sqlText(key))].join(", ")
      const select = `select distinct collection, answer_key from collection_cards where answer_key in (${keys})`
      const concerned = open === null ? [] : yield* session.rows("Find the rows", select)
      const names = new Set(concerned.map((row) => row["collection"]))
      const fitting = new Set(concerned.map((row) => row["answer_key"]))
      let { collections } = own
      const results: Array<Result> = []
      for (const one of own.collections.filter(({ name }) => names.has(name))) {
        const again = yield* matchAgain(session, one)
        const imports = again.map(({ made }) => made)
        collections = withImports(collections, one.name, imports)
        results.push(yield* readResult(session, { collections }, one.name, again))
      }
      const unused = answers.filter(({ key }) => !fitting.has(key)).length
      const changed = collections.filter(({ name }) => names.has(name))
      return [{ collections }, { ...stored, unused, collections: changed, results }] as const
    })
  )
}, Effect.scoped)
