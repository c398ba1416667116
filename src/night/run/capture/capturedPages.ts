import { Result } from "effect"
import type { OpenedJson } from "../../../feed/client/OpenFault.ts"
import { readCursorPage, readOffsetPage } from "../../../feed/client/pageCalls.ts"
import { parseBody } from "../../../feed/client/RawBody.ts"
import type { Capture, CapturedAnswer, CapturePart } from "../../../feed/contract/Capture.ts"
import type { Dialect } from "../../../feed/contract/dialect/dialects.ts"
import { pageLimits } from "../../../feed/contract/Paging.ts"
import type { PageKind } from "../../../feed/contract/records.ts"
import { rewordPage } from "../../../feed/contract/dialect/reworded.ts"
import { isObject } from "../../../feed/rows/isObject.ts"
import { shownText } from "../../../feed/contract/shownText.ts"

/** The lists of a capture, with a night's names of their records. */
const kindByPart: { readonly [Part in CapturePart]?: PageKind } = {
  games: "games",
  expansions: "expansions",
  products: "products",
  sealed: "products",
  changelog: "changelog",
  "catalog lines": "catalog",
  "expansions lines": "feedExpansions",
  "prices lines": "prices"
}

export interface CapturedPage {
  readonly part: CapturePart
  readonly kind: PageKind
  readonly text: string
}

/** Converts the lines of a feed to the JSON of a page. */
const asPage = ({ body, part }: CapturedAnswer): string =>
  part.endsWith(" lines")
    ? `{"data":[${body
        .split("\n")
        .filter((line) => line.trim() !== "")
        .join(",")}]}`
    : body

export const capturedPages = ({ answers }: Capture): ReadonlyArray<CapturedPage> =>
  answers.flatMap((answer) => {
    const kind = kindByPart[answer.part]
    return kind === undefined || answer.status !== 200 || answer.fault !== null
      ? []
      : [{ part: answer.part, kind, text: asPage(answer) }]
  })

const parseList = (json: unknown): Result.Result<ReadonlyArray<unknown>, string> =>
  isObject(json) && Array.isArray(json["data"]) ? Result.succeed(json["data"]) : Result.fail("it has no list `data`")

/** Returns the records of a page in a dialect. Fails with a sentence if a night could not read it. */
export const recordsOfPage = (
  { kind, text }: CapturedPage,
  dialect: Dialect
): Result.Result<ReadonlyArray<unknown>, string> => {
  const parsed = parseBody(text)
  if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
  const json = rewordPage(parsed.success, kind, dialect)
  const data = parseList(json)
  if (Result.isFailure(data)) return data
  const whatIs = (read: OpenedJson<unknown>): Result.Result<ReadonlyArray<unknown>, string> =>
    Result.isSuccess(read) ? data : Result.fail(typeof read.failure === "string" ? read.failure : read.failure.what)
  if (kind === "changelog") return whatIs(readCursorPage(pageLimits.cursor.max)(json))
  return kind === "products" || kind === "expansions" ? whatIs(readOffsetPage(0)(json)) : data
}

export const limitIn = (request: string): number => Number(/[?&]limit=(\d+)/.exec(request)?.[1] ?? 0)

/** Returns the max accepted (`given`) and the min rejected page size of a list; null unless there are both. */
export const pageSizes = ({ answers }: Capture, part: CapturePart) => {
  const pages = answers.filter((answer) => answer.part === part && !answer.request.includes("includeChanges"))
  const refused = pages.filter(({ status }) => status !== null && status >= 400 && status < 500 && status !== 429)
  const given = pages.find(({ status }) => status === 200)
  return refused.length === 0 || given === undefined
    ? null
    : { given: limitIn(given.request), refused: Math.min(...refused.map(({ request }) => limitIn(request))) }
}

/** True if a product is sealed, under any key. */
export const isSealed = (record: unknown): boolean => isObject(record) && Object.values(record).includes("sealed")

/** A list that a night needs but that the capture lacks. */
export interface UnreadPart {
  readonly part: CapturePart
  /** The reason, with the next step. */
  readonly says: string
}

const needed = ["games", "products", "expansions", "changelog"] as const

const errorIn = (body: string): string => {
  const json = Result.getOrUndefined(parseBody(body))
  const texts = isObject(json) ? [json["code"], json["message"]] : []
  return texts.flatMap((text) => (typeof text === "string" ? [shownText(text, 150)] : [])).join(": ")
}

const advice = ({ body, status }: CapturedAnswer): string => {
  if (status === null) return "Check CARDLAKE_URL and the network"
  if (status === 401 || status === 403) return "Check CARDLAKE_API_KEY and its scopes"
  if (/NOT_FOUND/.test(errorIn(body))) return "Check the game: part games lists the ids"
  return status === 429 || status >= 500 ? "Try it again later" : "See the answer in the file"
}

/** Returns the parts of a capture that could not be read, one sentence each; empty if all needed parts were read. */
export const unreadParts = ({ answers, game }: Capture): ReadonlyArray<UnreadPart> => {
  const findAnswers = (part: CapturePart) => answers.filter((answer) => answer.part === part)
  const isListed = findAnswers("games").some(({ status }) => status === 200)
  return needed.flatMap((part) => {
    const attempts = findAnswers(part)
    if (attempts.some(({ fault, status }) => status === 200 && fault === null)) return []
    const last = attempts.at(-1)
    if (last === undefined) {
      if (!isListed || game !== null) return []
      const says =
        "it was not requested, because there is no game. Name one with: cardlake doctor --capture FILE --game GAME"
      return [{ part, says }]
    }
    const got = last.fault ?? `${last.status} ${errorIn(last.body)}`
    return [{ part, says: `it could not be read (${got}). ${advice(last)}` }]
  })
}
