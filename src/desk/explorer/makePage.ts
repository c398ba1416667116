import { Clock, Effect } from "effect"
import { shownText } from "../../feed/contract/shownText.ts"
import { html, pageHead } from "../pages/html.ts"
import type { LakeView } from "./LakeReader.ts"
import { withProgram, withPictures } from "./pageMarks.ts"
import { layout } from "./layout.ts"
import {
  decodedSegment,
  type FileFormat,
  type KnownGame,
  NotThere,
  type Page,
  type PageRequest,
  splitFormat
} from "./PageRequest.ts"
import { findPage } from "./pages.ts"

/** Parses an address into a request, with the function that renders its page or null; the caller passes the other fields. */
export const readRequest = Effect.fnUntraced(function* (
  url: URL,
  rest: Omit<PageRequest, "path" | "format" | "fileOf" | "parts" | "query" | "game" | "nowMillis">
) {
  const { format, path } = splitFormat(url.pathname)
  const found = findPage(path)
  const parts: PageRequest["parts"] = Object.fromEntries(
    found?.values.map(([name, text]) => [name, decodedSegment(text)]) ?? []
  )
  const wanted = parts["game"] ?? url.searchParams.get("game") ?? ""
  const game = rest.games.find(({ gameId }) => gameId === wanted) ?? null
  const nowMillis = yield* Clock.currentTimeMillis
  const request: PageRequest = { ...rest, path, format, fileOf: "", parts, query: url.searchParams, game, nowMillis }
  return { request, page: found?.page ?? null }
})

/** Renders the requested page, or its list as a file if `format` is not null. Status 400 and 404 report a fault of the request. */
export const makePage = Effect.fnUntraced(function* ({
  request,
  page
}: Effect.Success<ReturnType<typeof readRequest>>) {
  const { copy, format, game, games, hasOwn, hasPictures, path, program, query } = request
  const says = (status: number, made: Page) => ({
    status,
    format: null as FileFormat | null,
    fileOf: "",
    text: withProgram(
      withPictures(layout({ path, query: query.get("q") ?? "", games, game, copy, hasOwn, ...made }), hasPictures),
      program
    )
  })
  return yield* (page === null ? Effect.fail(noSuchPage) : page(request)).pipe(
    Effect.flatMap((made) =>
      format === null || made.status !== undefined
        ? Effect.succeed(says(made.status ?? 200, made))
        : Effect.fail(noFile)
    ),
    Effect.catchTags({
      FileAnswer: ({ fileOf, text }) =>
        Effect.map(text, (text) => ({ status: 200, format: format ?? "csv", fileOf, text })),
      NotThere: (error) => Effect.succeed(says(404, sentencePage("Not found", error.message))),
      BadRequest: (error) => Effect.succeed(says(400, sentencePage("Invalid request", error.message)))
    })
  )
})

const maxNameLength = 100

export const knownGames = (lake: LakeView) =>
  Effect.map(lake.kept("List the games", "select game_id, name from games order by name, game_id"), (rows) =>
    rows.map((row): KnownGame => ({
      gameId: String(row["game_id"]),
      name: shownText(String(row["name"]), maxNameLength)
    }))
  )

const noSuchPage = new NotThere({ message: "This page does not exist. Go to the overview" })

const noFile = new NotThere({
  message:
    "This page cannot be downloaded in this format. Lists are available as .csv and .json, differences also as .html and .md"
})

/** A page with a single sentence. */
export const sentencePage = (title: string, says: string): Page => ({
  title,
  body: html`${pageHead("Cardlake", title)}
    <p class="empty">${says}. <a href="/">Overview</a></p>`
})
