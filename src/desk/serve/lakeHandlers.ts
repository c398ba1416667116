import { Effect, Predicate, Schedule, Semaphore, Stream } from "effect"
import { HttpServerError, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiError } from "effect/http-api"
import { shownText } from "../../feed/contract/shownText.ts"
import { ownText } from "../../feed/disk/ownText.ts"
import { snapshotTables } from "../../feed/schema/snapshotTables.ts"
import { Home } from "../../store/home/Home.ts"
import { parquetFormat, sqlText } from "../../store/lake/duckdb/Lake.ts"
import { readPublications } from "../../store/lake/sequence/publications.ts"
import {
  type Changes,
  type Restart,
  restartAfter,
  restartFrom,
  streamChanges,
  writeTexts
} from "../../store/lake/sequence/streamChanges.ts"
import type { LakeReader, LakeView } from "../explorer/LakeReader.ts"
import { knownGames } from "../explorer/makePage.ts"
import type { KnownGame } from "../explorer/PageRequest.ts"
import { withoutPaths } from "../explorer/withoutPaths.ts"
import type { AnswerFiles, StoreError } from "./AnswerFiles.ts"
import type { LakeWatch } from "./LakeWatch.ts"
import { Busy, type ChangesQuery, Gone, NotFound, type PublicationsQuery, ServeApi } from "./ServeApi.ts"

/** What the answers are made from. */
export interface Sources {
  readonly lake: LakeReader
  readonly watch: LakeWatch
  readonly files: AnswerFiles
}

const productQuery = ownText(new URL("./product.sql", import.meta.url))
const publicationsQuery =
  "select coalesce(to_json(list(p order by sequence, game_id)), '[]')::varchar as document from publications p where sequence > $since::bigint and sequence <= $until::bigint"
const madeQuery =
  "select max(sequence) filter (sequence <= $sequence::bigint)::varchar as made, max(sequence)::varchar as newest from publications where game_id = $game"

/** The tables of the lake that have rows of a game. */
const tableNames = snapshotTables.map(({ name }) => name)

/** Requests that query the lake at once, and how long one may take, its wait included. */
const slots = Semaphore.makeUnsafe(4)
const querySeconds = 15

/** Runs queries of a request on one view of the lake, within the limits. */
const inLake = <A, E, R>(lake: LakeReader, work: (view: LakeView) => Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.flatMap(lake.view, work)).pipe(
    slots.withPermit,
    Effect.timeoutOrElse({
      duration: `${querySeconds} seconds`,
      orElse: () =>
        Effect.fail(new Busy({ detail: `The answer took longer than ${querySeconds} seconds. Ask again later` }))
    })
  )

const storeErrors: ReadonlySet<string> = new Set<StoreError["_tag"]>([
  "LakeError",
  "NoLake",
  "FileDamaged",
  "UnsupportedContract"
])

const isOfServer = (error: unknown): error is StoreError | HttpServerError.HttpServerError =>
  HttpServerError.isHttpServerError(error) ||
  (Predicate.hasProperty(error, "_tag") && storeErrors.has(String(error._tag)))

/** Reports a failure of the lake as a problem without paths of this machine, and logs it with them. */
const problems = <A, E, R>(answer: Effect.Effect<A, E | StoreError | HttpServerError.HttpServerError, R>) =>
  Effect.catchIf(answer, isOfServer, ({ message }) =>
    Effect.gen(function* () {
      yield* Effect.logError(shownText(message))
      const detail = withoutPaths(message, (yield* Home).root)
      return yield* new HttpApiError.InternalServerErrorProblem({ detail })
    })
  )

const json = (text: string) => HttpServerResponse.text(text, { contentType: "application/json; charset=utf-8" })

const notFound = (detail: string) => new NotFound({ detail })

const product = ({ lake }: Sources, { game, id }: { readonly game: string; readonly id: number }) =>
  inLake(
    lake,
    Effect.fnUntraced(function* (view) {
      yield* requireGames(yield* knownGames(view), [game])
      const [row] = yield* view.rows("Read a product", productQuery, { game, id: String(id) })
      return row === undefined
        ? yield* notFound(
            `The catalogue of ${game} has no product ${id} now. Those that it has: /v1/tables/products/${game}.ndjson`
          )
        : json(String(row["document"]))
    })
  )

const noHome = "The data directory is missing, or has no publication. Ask again later"

const nextChanges = "Load these tables as of that publication, then ask for ?since"
const nextTable = "Ask for ?sequence"

/** Returns the answer to a number that has no changes, or whose tables are not there. */
const makeGone = ({ run, sequence, tables, why }: Restart, next: string) =>
  new Gone({ detail: `${why}. ${next}=${sequence}`, restart: { sequence, run, tables } })

/** Fails if no publication has this number yet. A night replaces the lake last, so the lake may lack its tables. */
const requirePublication = Effect.fnUntraced(function* (watch: LakeWatch, sequence: number, next = nextChanges) {
  if (sequence <= (yield* watch.last)) return
  const { newest } = yield* readPublications
  if (newest.sequence === 0) return yield* new Busy({ detail: noHome })
  if (sequence > newest.sequence) return yield* makeGone(restartAfter(newest, sequence), next)
})

const publications = Effect.fnUntraced(function* (
  { lake, watch }: Sources,
  { limit = 1000, since = 0 }: PublicationsQuery
) {
  yield* requirePublication(watch, since)
  const until = Math.max(since, Math.min(yield* watch.last, since + limit))
  const requested = { since: String(since), until: String(until) }
  const [row] = yield* inLake(lake, ({ rows }) => rows("Read the publications", publicationsQuery, requested))
  return json(`{"publications":${String(row?.["document"])},"next":${until}}`)
})

/** True if a request prefers one JSON document to a line per change. */
const wantsJson = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  /application\/json/i.test(headers["accept"] ?? "") && !/ndjson/i.test(headers["accept"] ?? "")

const asDocument = ({ end, entries }: Changes) => {
  let comma = ""
  const commas = entries.pipe(
    Stream.decodeText,
    Stream.map((text) => {
      const separated = `${comma}${text.replace(/\n$/, "").replaceAll("\n", ",\n")}`
      comma = text.endsWith("\n") ? ",\n" : ""
      return separated
    })
  )
  return Stream.make('{"changes":[').pipe(
    Stream.concat(commas),
    Stream.concat(Stream.map(Stream.decodeText(end), (line) => `],${line.slice(1)}`))
  )
}

/** Sends the changes after a publication. Waits, without a connection, if there are none yet. */
const changes = Effect.fnUntraced(function* (
  { files, lake, watch }: Sources,
  request: HttpServerRequest.HttpServerRequest,
  { games: list = "", limit = 10_000, run: given = "", since, wait = 0 }: ChangesQuery
) {
  const run = given === "" ? undefined : given
  const games = list.split(",").filter((id) => id !== "")
  if (games.length > 0) yield* Effect.flatMap(inLake(lake, knownGames), (known) => requireGames(known, games))
  yield* requirePublication(watch, since)
  const isOfAnother = run !== undefined && (yield* readPublications).positionAt(since).run !== run
  if (wait > 0 && !isOfAnother && since >= (yield* watch.last)) yield* watch.waitAfter(since, wait)
  const last = yield* watch.last
  // Another lake in the same place may have as many publications.
  const { run: runOfLast } = (yield* readPublications).positionAt(last)
  const format = wantsJson(request) ? "json" : "ndjson"
  const write = (path: string) =>
    Effect.gen(function* () {
      const found = yield* streamChanges({ since, run, games, maxEntries: limit })
      // A disk that is not mounted is no empty lake: a reader would discard its copy.
      if ((found._tag === "Changes" ? found.newest : found).sequence === 0) return yield* new Busy({ detail: noHome })
      if (found._tag === "Changes")
        return yield* writeTexts(path, format === "json" ? asDocument(found) : Stream.concat(found.entries, found.end))
      return yield* makeGone(found, nextChanges)
    }).pipe(
      Effect.scoped,
      // A prune may delete a snapshot meanwhile. The next attempt reports that it is gone.
      Effect.retry({ while: isOfServer, schedule: Schedule.spaced("1 second"), times: 3 })
    )
  const key = JSON.stringify([since, run, last, runOfLast, limit, games, format])
  const answer = yield* files.send({ key, format, sequence: last, write }, last)
  return HttpServerResponse.setHeader(answer, "vary", "accept")
})

const requireGames = (known: ReadonlyArray<KnownGame>, wanted: ReadonlyArray<string>) => {
  const ids = known.map(({ gameId }) => gameId)
  const missing = wanted.find((game) => !ids.includes(game))
  return missing === undefined ? Effect.void : notFound(`The lake has no game ${missing}. It has: ${ids.join(", ")}`)
}

/** How long a publication's tables may take to follow its changes: the night replaces the lake last. */
const swapSeconds = 10

/** Sends a game's table as of a publication: made now if the game's newest one is not later, else if it is still there. */
const table = Effect.fnUntraced(function* (
  { files, lake, watch }: Sources,
  {
    file,
    name,
    sequence: requested
  }: { readonly file: string; readonly name: string; readonly sequence?: number | undefined }
) {
  if (requested !== undefined) {
    yield* requirePublication(watch, requested, nextTable)
    if (requested > (yield* watch.last)) yield* watch.waitAfter(requested - 1, swapSeconds)
  }
  const last = yield* watch.last
  const sequence = requested ?? last
  const [, game = "", format] = /^(.+)\.(parquet|ndjson)$/.exec(file) ?? []
  if (!tableNames.includes(name) || (format !== "parquet" && format !== "ndjson")) {
    return yield* notFound(
      `There is no such table. Ask for GAME.parquet or GAME.ndjson of one of: ${tableNames.join(", ")}`
    )
  }
  const { newest, positionAt } = yield* readPublications
  const notThere = makeGone(restartFrom(newest, `The table as of publication ${sequence} is not there`), nextTable)
  const readMade = (view: LakeView) =>
    Effect.map(
      view.rows("Read the game's publications", madeQuery, { game, sequence: String(sequence) }),
      ([row]) => row
    )
  const { games, made } = yield* inLake(lake, (view) => Effect.all({ games: knownGames(view), made: readMade(view) }))
  yield* requireGames(games, [game])
  if (sequence > last || made?.["made"] === null) return yield* notThere
  const write = (path: string) =>
    Effect.gen(function* () {
      const view = yield* lake.view
      // A later night may have replaced the file of the lake meanwhile.
      if ((yield* readMade(view))?.["newest"] !== made?.["made"]) return yield* notThere
      const rows = `select * from ${name} where game_id = ${sqlText(game)}`
      yield* view.rows(
        `Write ${name}`,
        `copy (${rows}) to ${sqlText(path)} ${format === "parquet" ? parquetFormat() : "(format json)"}`
      )
    }).pipe(Effect.scoped)
  const key = `${name} ${file} ${String(made?.["made"])} ${positionAt(Number(made?.["made"])).run}`
  const answer = yield* files.send({ key, format, sequence, write }, last)
  return HttpServerResponse.setHeader(answer, "x-cardlake-sequence", String(sequence))
})

/** Answers the requests of {@link ServeApi}. */
export const lakeHandlers = (sources: Sources) =>
  HttpApiBuilder.group(ServeApi, "lake", (handlers) =>
    handlers
      .handle("changes", ({ query, request }) => problems(changes(sources, request, query)))
      .handle("product", ({ params }) => problems(product(sources, params)))
      .handle("publications", ({ query }) => problems(publications(sources, query)))
      .handle("table", ({ params, query }) => problems(table(sources, { ...params, ...query })))
  )
