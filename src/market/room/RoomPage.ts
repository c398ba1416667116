import { Effect } from "effect"
import type { BadRequest, NotFound } from "../../feed/contract/Errors.ts"
import type { Html } from "../../desk/pages/html.ts"
import { badRequest } from "../answers/badRequest.ts"
import type { LiveCatalogue } from "../catalogue/LiveCatalogue.ts"
import type { Faults } from "../faults/Faults.ts"
import type { RequestLog } from "../log/RequestLog.ts"
import type { MarketClock } from "../state/MarketClock.ts"
import type { State } from "../state/State.ts"

/** What a browser asked for. */
export interface AskedPage {
  readonly path: string
  /** What the path has for the `:name` of its address; "" if it has none. */
  readonly item: string
  readonly query: URLSearchParams
}

/** A page without its frame. */
export interface RoomPage {
  readonly title: string
  readonly says: string
  readonly body: Html
}

/** Makes a page from what the sandbox has now. */
export type PageOf = (
  asked: AskedPage
) => Effect.Effect<RoomPage, NotFound | BadRequest, State | MarketClock | LiveCatalogue | RequestLog | Faults>

/** A parameter of the address; undefined if it is missing or empty. */
export const wanted = ({ query }: AskedPage, name: string): string | undefined => query.get(name) || undefined

/** A whole number of the address; undefined if it is missing or empty. */
export const wantedNumber = (asked: AskedPage, name: string): Effect.Effect<number | undefined, BadRequest> => {
  const text = wanted(asked, name)
  return text === undefined || /^\d{1,15}$/.test(text)
    ? Effect.succeed(text === undefined ? undefined : Number(text))
    : Effect.fail(badRequest(name, `${text} is not a whole number`))
}
