import { Result, Schema, Option } from "effect"
import { type Capture, type CapturedAnswer, type CapturePart, cutMark } from "../../feed/contract/Capture.ts"
import { type CutPage, cutPage, edited, parsedJson } from "./cutPage.ts"
import { hash } from "node:crypto"
import { gzipSync } from "node:zlib"
import { FeedType } from "../../feed/contract/FeedFile.ts"
import { spanAt, spansIn } from "../../feed/contract/jsonSpans.ts"

/** An answer, captured or generated. */
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

/** Decodes a path segment. Returns an undecodable one unchanged, which matches nothing. */
const decodeSegment = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const noKey = envelope(401, "UNAUTHORIZED", "The key is not the one that the sandbox printed")

/** An invented account: a capture contains nothing about the real one. */
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

/** A request as received. */
interface Requested {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly body: string
}

const cut = (answer: CapturedAnswer, keeps?: (record: unknown, index: number) => boolean): CutPage | null =>
  answer.status === 200
    ? cutPage(answer.body, { pageSize: limitIn(answer.request), ...(keeps === undefined ? {} : { keeps }) })
    : null

/** Indexes the answers of a capture, with defaults for missing ones. */
const indexAnswers = ({ answers, game }: Capture) => {
  const of = (part: CapturePart) => answers.filter((answer) => answer.part === part)
  const notCaptured = ({ method, url }: Requested, why = "") =>
    envelope(
      404,
      "NOT_CAPTURED",
      `The capture has no answer to ${method} ${url}${why}. It has ${[...new Set(answers.map(({ part }) => part))].join(", ")}${game === null ? "" : ` of ${game}`}`
    )
  const asIs = ({ body, fault, headers, status }: CapturedAnswer, request: Requested): Answered =>
    status === null || fault !== null ? notCaptured(request, `: ${fault ?? ""}`) : { status, headers, body }

  /** Returns a page of a list. Page sizes that the service refused are refused again. */
  const page = (
    part: CapturePart,
    request: Requested,
    { most = Number.POSITIVE_INFINITY, limit = 0, withChanges = false }
  ) => {
    const pages = of(part).filter(({ request }) => request.includes("includeChanges=true") === withChanges)
    const refused = pages.find(({ request, status }) => status !== 200 && limitIn(request) <= limit)
    const answer = refused ?? pages.findLast(({ status }) => status === 200) ?? pages.at(-1)
    if (answer === undefined) return notCaptured(request)
    const whole = cut(answer, (_, index) => index < most)
    return whole === null ? asIs(answer, request) : { status: 200, headers: answer.headers, body: whole.text }
  }

  return { of, notCaptured, asIs, page }
}

/** Answers from a capture, like a service that has nothing else. */
export const capturedAnswers = (capture: Capture, aboutFeeds: (answer: CapturedAnswer) => string) => {
  const { game } = capture
  const { asIs, notCaptured, of, page } = indexAnswers(capture)
  const isListed = (record: unknown): boolean =>
    game === null || Object.values(record as object).some((value) => value === game)

  const answerTo = (request: Requested): Answered => {
    const { body, method, url } = request
    const { pathname, searchParams } = new URL(url, "http://sandbox")
    const path = pathname.split("/").map(decodeSegment).slice(2)
    const [first = "", second = "", third = ""] = path
    const limit = Number(searchParams.get("limit")) || limitIn(body)
    const offset = Number(searchParams.get("offset") ?? 0)
    const ofGame = (gameId: string | undefined, found: () => Answered) =>
      gameId === game ? found() : notCaptured(request)
    const ofPage = (gameId: string | undefined, part: CapturePart) =>
      ofGame(gameId, () => (offset === 0 ? page(part, request, { limit }) : notCaptured(request)))
    if (method === "POST" && `${first}/${second}` === "products/search") {
      const search = Result.getOrUndefined(decodeSearch(body))
      const part = search?.productType?.values.join() === "sealed" ? "sealed" : "products"
      return (search?.offset ?? offset) === 0 ? ofPage(search?.gameFilters?.game, part) : notCaptured(request)
    }
    if (method !== "GET") return notCaptured(request)
    if (first === "games" && path.length === 1) {
      const [games] = of("games")
      const listed = games === undefined ? null : cut(games, isListed)
      if (games === undefined) return notCaptured(request)
      return listed === null ? asIs(games, request) : { status: 200, headers: games.headers, body: listed.text }
    }
    if (first === "games" && third === "expansions") return ofPage(second, "expansions")
    if (first === "feeds" && third === "changelog") {
      const withChanges = searchParams.get("includeChanges") === "true"
      return ofGame(second, () => page("changelog", request, { limit, most: limit || 50, withChanges }))
    }
    if (first === "feeds" && path.length === 2) {
      const [feeds] = of("feeds")
      if (feeds === undefined || second !== game) return notCaptured(request)
      return feeds.status === 200 ? { ...asIs(feeds, request), body: aboutFeeds(feeds) } : asIs(feeds, request)
    }
    if (first !== "products" || second === "") return notCaptured(request)
    const [history] = of("history")
    const isPriced = history?.request.startsWith(`GET ${pathname}?`) === true
    if (path.slice(2).join("/") === "prices/history" && isPriced) return asIs(history, request)
    const [error] = of("error")
    return path.length === 2 && error !== undefined ? asIs(error, request) : notCaptured(request)
  }
  return { answerTo, cut, of }
}

/** A feed file of the captured lines. */
interface CapturedFile {
  readonly lines: number
  readonly bytes: Uint8Array
  readonly checksum: string
}

const isSum = /^(?:sha256:)?[0-9a-f]{64}$/i
const sizeName = /size|bytes/i

/** Returns the first lines of each feed as a file, with its metadata. */
export const capturedFeeds = ({ answers }: Capture) => {
  const files = new Map<FeedType, CapturedFile>()
  for (const type of FeedType.literals) {
    const body = answers.find(({ part }) => part === `${type} lines`)?.body ?? ""
    if (body === "") continue
    const lines = body.split("\n").filter((line) => line.trim() !== "").length
    files.set(type, { lines, bytes: gzipSync(body), checksum: hash("sha256", body, "hex") })
  }

  /** Returns a metadata value adjusted to the shortened file. */
  const adjustMetadata = (key: string, value: unknown, { file, largest, link }: ShortenedFile): string | null => {
    if (typeof value === "string" && value.includes("://")) return JSON.stringify(link)
    if (typeof value === "string" && isSum.test(value)) {
      return JSON.stringify((value.toLowerCase().startsWith("sha256:") ? "sha256:" : "") + file.checksum)
    }
    if (typeof value !== "number") return null
    return String(sizeName.test(key) || value === largest ? file.bytes.length : file.lines)
  }

  /** Returns the captured answer about the files, with links, checksums and sizes of the shortened ones. */
  const aboutFeeds = ({ body }: CapturedAnswer, linkTo: (type: FeedType) => string): string => {
    if (Option.isNone(parsedJson(body))) return body
    const edits = FeedType.literals.flatMap((type) => {
      const file = files.get(type)
      const about = spanAt(body, [type])
      if (about === null || file === undefined) return []
      const spans = spansIn(body, about.start).map(({ end, key, start }) => {
        const value: unknown = JSON.parse(body.slice(start, end))
        return { end, key, start, value }
      })
      const largest = Math.max(...spans.map(({ value }) => (typeof value === "number" ? value : 0)))
      return spans.flatMap(({ end, key, start, value }) => {
        const by = adjustMetadata(key, value, { file, largest, link: linkTo(type) })
        return by === null ? [] : [{ start, end, by }]
      })
    })
    return edited(body, edits)
  }
  return { files, aboutFeeds }
}

interface ShortenedFile {
  readonly file: CapturedFile
  readonly link: string
  /** The largest number in the metadata: the file's size under any key. */
  readonly largest: number
}

/** The signature in links to captured files. */
export const captureSignature = `signature=${encodeURIComponent(cutMark)}`
