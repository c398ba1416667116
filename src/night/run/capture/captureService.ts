import { DateTime, Effect, Result, Stream } from "effect"
import packageJson from "../../../../package.json" with { type: "json" }
import { offsetLists, type OffsetList, sealedSearch } from "../../../feed/client/offsetLists.ts"
import { changelogCall } from "../../../feed/client/pageCalls.ts"
import { parseBody } from "../../../feed/client/RawBody.ts"
import { ServiceProbe } from "../../../feed/client/ServiceProbe.ts"
import {
  type Capture,
  type CapturedAnswer,
  type CapturePart,
  isCapturedHeader,
  capturedLines
} from "../../../feed/contract/Capture.ts"
import { findList } from "../../../feed/contract/findList.ts"
import { pageLimits } from "../../../feed/contract/Paging.ts"
import { limitIn, isSealed } from "./capturedPages.ts"
import { isObject } from "../../../feed/rows/isObject.ts"
import { type Cuts, cutText, noCuts, sumOfCuts } from "./cutText.ts"
import { LinkFailed, FeedStorage } from "../../../feed/client/FeedStorage.ts"
import { TooLarge, unpackPieces } from "../../../feed/guard/unpack.ts"

/** Max bytes, unpacked. The needed lines of any feed are shorter. */
const maxBytes = 16 * 1024 * 1024

const newline = 0x0a

const whyNot = (cause: unknown): string => {
  if (cause instanceof LinkFailed) return cause.what
  if (cause instanceof TooLarge) return `its first ${capturedLines} lines are more than 16 MB`
  return `it cannot be unpacked, ${cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)}`
}

/** Returns the first lines of a linked file without downloading the rest, or a sentence. The request has no key. */
export const firstLines = Effect.fnUntraced(function* (link: string): Effect.fn.Return<string, string, FeedStorage> {
  const storage = yield* FeedStorage
  const pieces: Array<Buffer> = []
  let lines = 0
  yield* Stream.fromAsyncIterable(unpackPieces(Stream.toAsyncIterable(storage.bytes(link)), maxBytes), whyNot).pipe(
    Stream.takeUntil((piece) => {
      pieces.push(piece)
      for (const byte of piece) if (byte === newline) lines += 1
      return lines >= capturedLines
    }),
    Stream.runDrain
  )
  const text = Buffer.concat(pieces).toString("utf8").split("\n")
  return `${text.slice(0, capturedLines).join("\n").trimEnd()}\n`
})

export const linksIn = (feeds: unknown): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(isObject(feeds) ? feeds : {}).flatMap(([type, feed]) => {
      const values = isObject(feed) ? Object.values(feed) : []
      const found = values.find((value) => typeof value === "string" && /^https?:\/\//.test(value))
      return typeof found === "string" ? [[type, found] as const] : []
    })
  )

/** Returns the first lines of a feed as an answer, with counts of removed parts. */
export const askLines = Effect.fnUntraced(function* (type: "catalog" | "expansions" | "prices", link: string) {
  const found = yield* Effect.result(firstLines(link))
  const { cuts, text } = cutText(
    Result.getOrElse(found, () => ""),
    true
  )
  const answer: CapturedAnswer = {
    part: `${type} lines`,
    request: `GET ${type}`,
    status: Result.isSuccess(found) ? 200 : null,
    headers: {},
    body: text,
    fault: Result.isSuccess(found) ? null : found.failure
  }
  return { answer, cuts, json: undefined, whole: undefined }
})

/** Page sizes to try until one is accepted. */
const sizes = [pageLimits.offset.max, 100, 50, 20] as const

/** Matches the max page size in an error. */
const stated =
  /(?:at most|max(?:imum)?|<=|less than or equal to|no more than|not exceed|up to|between \d+ and)\D{0,12}(\d{1,4})/i

/** Max games to try for one with products. */
const maxGames = 3

/** Max size of an answer. Larger pages add no information about the format. */
const largestBody = 16 * 1024 * 1024

/** An id that does not exist. */
const unknownId = "9007199254740991"

interface CutAnswer {
  readonly answer: CapturedAnswer
  readonly cuts: Cuts
  readonly json: unknown
  /** The original link of a feed, which the answer no longer contains. */
  readonly whole: unknown
}

const parseJson = (text: string): unknown => Result.getOrUndefined(parseBody(text))

const isRefusedSize = ({ answer: { body, status } }: CutAnswer): boolean =>
  (status === 400 || status === 413 || status === 422) && !body.includes("NOT_FOUND")

const ask = Effect.fnUntraced(function* (part: CapturePart, path: string) {
  const probed = yield* Effect.result((yield* ServiceProbe).ask(path))
  // Ids in the path come from the service.
  const request = cutText(path, false).text
  const none = (fault: string, status: number | null = null): CutAnswer => ({
    answer: { part, request, status, headers: {}, body: "", fault: cutText(fault, false).text },
    cuts: noCuts,
    json: undefined,
    whole: undefined
  })
  if (Result.isFailure(probed)) return none(probed.failure)
  const { status, text } = probed.success
  if (text.length > largestBody) return none("its body is larger than 16 MB", status)
  const whole = parseJson(text)
  const body = cutText(text, whole !== undefined)
  const kept = Object.entries(probed.success.headers).filter(isCapturedHeader)
  const headers = Object.fromEntries(kept.map(([name, value]) => [name, cutText(value, false).text]))
  const answer: CapturedAnswer = { part, request, status, headers, body: body.text, fault: null }
  return { answer, cuts: body.cuts, json: parseJson(body.text), whole } satisfies CutAnswer
})

/** Requests the largest accepted page of a list, after rejections. A size that one states is tried once. */
const askPage = Effect.fnUntraced(function* (
  part: CapturePart,
  requestOf: (limit: number) => string,
  most: number = pageLimits.offset.max
) {
  const answers: Array<CutAnswer> = []
  let size: number | undefined = most
  let isStated = false
  while (size !== undefined) {
    const limit: number = size
    const answered: CutAnswer = yield* ask(part, requestOf(limit))
    answers.push(answered)
    if (!isRefusedSize(answered)) break
    const reported: number = isStated ? 0 : Number(stated.exec(answered.answer.body)?.[1] ?? 0)
    isStated ||= reported > 0 && reported < limit
    size = reported > 0 && reported < limit ? reported : sizes.find((one) => one < limit)
  }
  return answers
})

const findRecords = ({ json }: CutAnswer): ReadonlyArray<unknown> => findList(json)?.records ?? []

/** Returns a record's id under any key: `id`, else its first value of the type. */
const findId = (record: unknown, type: "string" | "number"): string | null => {
  if (!isObject(record)) return null
  const id = record["id"] ?? Object.values(record).find((value) => typeof value === type)
  return typeof id === "string" || typeof id === "number" ? String(id) : null
}

/** Returns the products of the first game that has some, else of the last game that was tried. */
const askProducts = Effect.fnUntraced(function* (gameIds: ReadonlyArray<string>) {
  const requestList = (list: OffsetList, gameId: string) =>
    askPage(list, (limit) => offsetLists[list].request(gameId, { offset: 0, limit }))
  let game: string | null = null
  let products: ReadonlyArray<CutAnswer> = []
  let sealed: ReadonlyArray<CutAnswer> = []
  for (const gameId of gameIds.slice(0, maxGames)) {
    game = gameId
    products = yield* requestList("products", gameId)
    if (products.some((answers) => findRecords(answers).length > 0)) break
  }
  const found = products.flatMap(findRecords)
  if (game !== null && found.length > 0 && !found.some(isSealed)) {
    const limit = limitIn(products.at(-1)?.answer.request ?? "")
    sealed = [yield* ask("sealed", sealedSearch(game, limit))]
  }
  return {
    game,
    products: [...products, ...sealed],
    expansions: game === null ? [] : yield* requestList("expansions", game)
  }
})

const dayBefore = (now: DateTime.Utc, days: number): string =>
  DateTime.formatIsoDateUtc(DateTime.subtract(now, { days }))

/**
 * Requests one page of each list, the first lines of each feed, one history and one error. Failures are captured, and
 * the rest continues. `wanted`: the game; null selects the first one with products.
 */
export const captureService = Effect.fn("captureService")(function* (wanted: string | null) {
  const now = yield* DateTime.now
  const games = yield* ask("games", "GET /v1/games")
  const listed = findRecords(games).flatMap((record) => findId(record, "string") ?? [])
  const { expansions, game, products } = yield* askProducts(wanted === null ? listed : [wanted])
  const answers: Array<CutAnswer> = [games, ...products, ...expansions]
  if (game !== null) {
    const changelog = yield* askPage(
      "changelog",
      (limit) => changelogCall(game, { limit }, null).request,
      pageLimits.cursor.max
    )
    answers.push(...changelog)
    answers.push(yield* ask("changelog", changelogCall(game, { limit: 1, includeChanges: true }, null).request))
    const feeds = yield* ask("feeds", `GET /v1/feeds/${encodeURIComponent(game)}`)
    answers.push(feeds)
    const links = linksIn(feeds.whole)
    for (const type of ["catalog", "expansions", "prices"] as const) {
      const link = links.get(type)
      if (link !== undefined) answers.push(yield* askLines(type, link))
    }
    const product = products.flatMap((page) => findRecords(page).flatMap((record) => findId(record, "number") ?? []))[0]
    if (product !== undefined) {
      const days = `from=${dayBefore(now, 30)}&to=${dayBefore(now, 0)}`
      answers.push(yield* ask("history", `GET /v1/products/${encodeURIComponent(product)}/prices/history?${days}`))
    }
  }
  answers.push(yield* ask("error", `GET /v1/products/${unknownId}`))
  const capture: Capture = {
    cardlakeCapture: 1,
    capturedAt: DateTime.formatIso(now),
    cardlakeVersion: packageJson.version,
    game,
    answers: answers.map(({ answer }) => answer)
  }
  return { capture, cuts: answers.map(({ cuts }) => cuts), total: sumOfCuts(answers.map(({ cuts }) => cuts)) }
})
