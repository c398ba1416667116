import { Result, Schema } from "effect"
import type { Capture, CapturedAnswer, CapturePart } from "../../feed/contract/Capture.ts"
import { type CutPage, cutPage } from "./cutPage.ts"

/** What the sandbox answers, of a capture or of its own. */
interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const envelope = (status: number, code: string, message: string): Answered => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ code, status, message, data: {} })
})

/** A segment of a path; one that cannot be decoded stays as it is, and names nothing. */
const segmentOf = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const noKey = envelope(401, "UNAUTHORIZED", "The key is not the one that the sandbox printed")

/** The capture has nothing of whoever made it. */
export const inventedAccount: Answered = {
  status: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ username: "capture", seller: null, scopes: ["account:read"] })
}

const limitIn = (text: string): number => Number(/\blimit"?[=:]\s*(\d+)/.exec(text)?.[1] ?? 0)

const Search = Schema.fromJsonString(
  Schema.Struct({
    offset: Schema.optionalKey(Schema.Int),
    productType: Schema.optionalKey(Schema.Struct({ values: Schema.Array(Schema.String) })),
    gameFilters: Schema.optionalKey(Schema.Struct({ game: Schema.String }))
  })
)
const decodeSearch = Schema.decodeUnknownResult(Search)

/** A request, as the sandbox got it. */
interface Requested {
  readonly method: string
  /** With its query. */
  readonly url: string
  readonly body: string
}

const cut = (answer: CapturedAnswer, keeps?: (record: unknown, index: number) => boolean): CutPage | null =>
  answer.status === 200
    ? cutPage(answer.body, { asked: limitIn(answer.request), ...(keeps === undefined ? {} : { keeps }) })
    : null

/** The answers of a capture by their parts, and what is answered where there is none. */
const partsOf = ({ answers, game }: Capture) => {
  const of = (part: CapturePart) => answers.filter((answer) => answer.part === part)
  const notCaptured = ({ method, url }: Requested, why = "") =>
    envelope(
      404,
      "NOT_CAPTURED",
      `The capture has no answer to ${method} ${url}${why}. It has ${[...new Set(answers.map(({ part }) => part))].join(", ")}${game === null ? "" : ` of ${game}`}`
    )
  const asIs = ({ body, fault, headers, status }: CapturedAnswer, asked: Requested): Answered =>
    status === null || fault !== null ? notCaptured(asked, `: ${fault ?? ""}`) : { status, headers, body }

  /** The page of a list; sizes that the service refused are refused again, as it did. */
  const page = (
    part: CapturePart,
    asked: Requested,
    { most = Number.POSITIVE_INFINITY, limit = 0, withChanges = false }
  ) => {
    const pages = of(part).filter(({ request }) => request.includes("includeChanges=true") === withChanges)
    const refused = pages.find(({ request, status }) => status !== 200 && limitIn(request) <= limit)
    const answer = refused ?? pages.findLast(({ status }) => status === 200) ?? pages.at(-1)
    if (answer === undefined) return notCaptured(asked)
    const whole = cut(answer, (_, index) => index < most)
    return whole === null ? asIs(answer, asked) : { status: 200, headers: answer.headers, body: whole.text }
  }

  return { of, notCaptured, asIs, page }
}

/** The answers of a capture, as a service that has nothing else. */
export const capturedAnswers = (capture: Capture, aboutFeeds: (answer: CapturedAnswer) => string) => {
  const { game } = capture
  const { asIs, notCaptured, of, page } = partsOf(capture)
  const isListed = (record: unknown): boolean =>
    game === null || Object.values(record as object).some((value) => value === game)

  const answerTo = (asked: Requested): Answered => {
    const { body, method, url } = asked
    const { pathname, searchParams } = new URL(url, "http://sandbox")
    const path = pathname.split("/").map(segmentOf).slice(2)
    const [first = "", second = "", third = ""] = path
    const limit = Number(searchParams.get("limit")) || limitIn(body)
    const offset = Number(searchParams.get("offset") ?? 0)
    const ofGame = (gameId: string | undefined, found: () => Answered) =>
      gameId === game ? found() : notCaptured(asked)
    const ofPage = (gameId: string | undefined, part: CapturePart) =>
      ofGame(gameId, () => (offset === 0 ? page(part, asked, { limit }) : notCaptured(asked)))
    if (method === "POST" && `${first}/${second}` === "products/search") {
      const search = Result.getOrUndefined(decodeSearch(body))
      const part = search?.productType?.values.join() === "sealed" ? "sealed" : "products"
      return (search?.offset ?? offset) === 0 ? ofPage(search?.gameFilters?.game, part) : notCaptured(asked)
    }
    if (method !== "GET") return notCaptured(asked)
    if (first === "games" && path.length === 1) {
      const [games] = of("games")
      const listed = games === undefined ? null : cut(games, isListed)
      if (games === undefined) return notCaptured(asked)
      return listed === null ? asIs(games, asked) : { status: 200, headers: games.headers, body: listed.text }
    }
    if (first === "games" && third === "expansions") return ofPage(second, "expansions")
    if (first === "feeds" && third === "changelog") {
      const withChanges = searchParams.get("includeChanges") === "true"
      return ofGame(second, () => page("changelog", asked, { limit, most: limit || 50, withChanges }))
    }
    if (first === "feeds" && path.length === 2) {
      const [feeds] = of("feeds")
      if (feeds === undefined || second !== game) return notCaptured(asked)
      return feeds.status === 200 ? { ...asIs(feeds, asked), body: aboutFeeds(feeds) } : asIs(feeds, asked)
    }
    if (first !== "products" || second === "") return notCaptured(asked)
    const [history] = of("history")
    const isPriced = history?.request.startsWith(`GET ${pathname}?`) === true
    if (path.slice(2).join("/") === "prices/history" && isPriced) return asIs(history, asked)
    const [error] = of("error")
    return path.length === 2 && error !== undefined ? asIs(error, asked) : notCaptured(asked)
  }
  return { answerTo, cut, of }
}
