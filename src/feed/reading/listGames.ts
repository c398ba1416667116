import { Effect, Result, Schema } from "effect"
import { checkedByDoctor, messageText } from "../contract/ErrorParts.ts"
import { Marketplace } from "../client/Marketplace.ts"
import { parseBody, type Page } from "../client/RawBody.ts"
import { acceptPage, type Refusal } from "../rows/acceptPage.ts"
import { type Dialect, dialects } from "../contract/dialect/dialects.ts"
import { rewordPage } from "../contract/dialect/reworded.ts"
import { recordRules } from "../rows/recordRules.ts"

export class NoGamesListed extends Schema.TaggedError<NoGamesListed>()("NoGamesListed", { request: Schema.String }) {
  get parts() {
    return checkedByDoctor(
      `The marketplace lists no games: ${this.request} returned an empty list. Nothing was read, and the lake keeps what it has`,
      "Ask the marketplace why",
      "; then check again with"
    )
  }

  override get message() {
    return messageText(this.parts)
  }
}

export interface RefusedGame extends Pick<Refusal, "index" | "path" | "reason"> {
  /** Null if the record's id is not a string. */
  readonly gameId: string | null
}

const isNamed = Schema.is(Schema.Struct({ id: Schema.NonEmptyString }))
const readId = (record: unknown): string | null => (isNamed(record) ? record.id : null)

/** Listed ids, refused records and the raw page, which every game stores. Fails if empty. Spec: GET /v1/games. */
export const listGames = Effect.gen(function* () {
  const { dialect, games } = yield* Marketplace
  const page = yield* games
  if (page.data.length === 0) return yield* new NoGamesListed({ request: page.request })
  const { refusals } = acceptPage(
    recordRules(dialect ?? dialects.spec).games,
    null,
    { ...page, data: recordsAnew(page, dialect) },
    () => {}
  )
  const refused = refusals.map(({ index, path, reason }): RefusedGame => ({
    gameId: readId(page.data[index]),
    index,
    path,
    reason
  }))
  const isRefused = new Set(refused.map(({ index }) => index))
  const gameIds = page.data.flatMap((record, index) => (isRefused.has(index) ? [] : (readId(record) ?? [])))
  return { gameIds: [...new Set(gameIds)], refused, page }
})

const isList = Schema.is(Schema.Struct({ data: Schema.Array(Schema.Unknown) }))

/** Parses the page's records again, because {@link acceptPage} modifies its input. */
const recordsAnew = ({ data, text }: Page<null>, dialect: Dialect | null): ReadonlyArray<unknown> => {
  const body = rewordPage(Result.getOrNull(parseBody(text)), "games", dialect)
  return isList(body) ? body.data : data
}
