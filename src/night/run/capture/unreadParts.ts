import { Result } from "effect"
import { parseBody } from "../../../feed/client/RawBody.ts"
import type { Capture, CapturedAnswer, CapturePart } from "../../../feed/contract/Capture.ts"
import { shownText } from "../../../feed/contract/shownText.ts"
import { isObject } from "../../../feed/rows/isObject.ts"

/** A list that a night needs, of which a capture has no page. */
export interface UnreadPart {
  readonly part: CapturePart
  /** Why, and what to do about it. */
  readonly says: string
}

const needed = ["games", "products", "expansions", "changelog"] as const

/** The code and the message of an error's body. */
const errorIn = (body: string): string => {
  const json = Result.getOrUndefined(parseBody(body))
  const said = isObject(json) ? [json["code"], json["message"]] : []
  return said.flatMap((text) => (typeof text === "string" ? [shownText(text, 150)] : [])).join(": ")
}

const advice = ({ body, status }: CapturedAnswer): string => {
  if (status === null) return "Check CARDLAKE_URL and the network"
  if (status === 401 || status === 403) return "Check CARDLAKE_API_KEY, and what it may do"
  if (/NOT_FOUND/.test(errorIn(body))) return "Check the game: the part games has the ids that there are"
  return status === 429 || status >= 500 ? "Try it again later" : "See in the file what was answered"
}

/** The parts of a capture that could not be read, a sentence each; empty: all that a night needs was. */
export const unreadParts = ({ answers, game }: Capture): ReadonlyArray<UnreadPart> => {
  const answersOf = (part: CapturePart) => answers.filter((answer) => answer.part === part)
  const isListed = answersOf("games").some(({ status }) => status === 200)
  return needed.flatMap((part) => {
    const asked = answersOf(part)
    if (asked.some(({ fault, status }) => status === 200 && fault === null)) return []
    const last = asked.at(-1)
    if (last === undefined) {
      if (!isListed || game !== null) return []
      const says =
        "it was not asked for, as no game could be named. Name one with: cardlake doctor --capture FILE --game GAME"
      return [{ part, says }]
    }
    const got = last.fault ?? `${last.status} ${errorIn(last.body)}`
    return [{ part, says: `it could not be read (${got}). ${advice(last)}` }]
  })
}
