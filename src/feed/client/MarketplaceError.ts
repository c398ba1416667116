import { Schema } from "effect"
import { checkedByDoctor, messageText, withoutCommand } from "../contract/ErrorParts.ts"
import { BudgetUnasked } from "./limiter/TokenStore.ts"

const where = { request: Schema.String, requestId: Schema.NullOr(Schema.String) }
const at = (error: { readonly request: string; readonly requestId: string | null }) =>
  error.requestId === null ? error.request : `${error.request} (request id ${error.requestId})`
const attempts = Schema.Int
const tries = (count: number) => (count === 1 ? "1 attempt" : `${count} attempts`)

/** The next step if the right service gives an unexpected answer. */
export const speaksOtherwise =
  "If the API has changed, fix it with a mapping file. See the answers with: cardlake doctor --capture capture.json"

const later = "Run it again later: cardlake nightly"
const laterOrReport = `${later}; if it persists, report the request id to the marketplace`

/** 401: missing, malformed, unknown or revoked; the service does not say which. Spec: Errors, 401. */
export class KeyRefused extends Schema.TaggedError<KeyRefused>()("KeyRefused", where) {
  get parts() {
    return checkedByDoctor(`The marketplace refused the API key at ${at(this)}`, "Check CARDLAKE_API_KEY")
  }

  override get message() {
    return messageText(this.parts)
  }
}

/** 403: the key lacks a scope (`required`, `granted`) or its account has no API access (`code`). Spec: Errors, 403. */
export class AccessForbidden extends Schema.TaggedError<AccessForbidden>()("AccessForbidden", {
  ...where,
  code: Schema.String,
  required: Schema.Array(Schema.String),
  granted: Schema.Array(Schema.String)
}) {
  get parts() {
    const scopes = (list: ReadonlyArray<string>) => (list.length === 0 ? "none" : list.join(", "))
    return this.code === "FORBIDDEN"
      ? withoutCommand(
          `The API key may not call ${at(this)}: it needs ${scopes(this.required)} but has ${scopes(this.granted)}`,
          "Create a key with that scope and set CARDLAKE_API_KEY"
        )
      : checkedByDoctor(
          `The marketplace forbids ${at(this)} to this account (${this.code})`,
          "Ask the marketplace for API access",
          ", then try"
        )
  }

  override get message() {
    return messageText(this.parts)
  }
}

/** An unknown id, whatever the status. Beyond the spec: section 2, not-found answers. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", {
  ...where,
  code: Schema.String,
  /** The requested id; null if the answer does not name it. */
  id: Schema.NullOr(Schema.String)
}) {
  get parts() {
    if (this.code === "GAME_NOT_FOUND") {
      const game = this.id === null ? "this game" : `a game "${this.id}"`
      return checkedByDoctor(`The marketplace does not know ${game} (${at(this)})`, "See the ids it knows")
    }
    return checkedByDoctor(`The marketplace has nothing for ${at(this)} (${this.code})`, "See what it offers")
  }

  override get message() {
    return messageText(this.parts)
  }
}

/** A 429 that lasts longer than a night can wait. Beyond the spec: section 3. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  ...where,
  bucket: Schema.String,
  limit: Schema.NullOr(Schema.Finite),
  waitedMillis: Schema.Finite,
  requiredMillis: Schema.NullOr(Schema.Finite)
}) {
  override get message() {
    const limit = this.limit === null ? "" : `, limit ${this.limit}`
    const longer = this.requiredMillis === null ? "" : ` and asks for ${Math.ceil(this.requiredMillis / 1000)} s more`
    return `The marketplace still limits ${at(this)} (bucket ${this.bucket}${limit}) after ${Math.round(this.waitedMillis / 1000)} s of waiting${longer}. ${later}; or ask the marketplace to raise the limit`
  }
}

/** Any other permanent refusal: 400 and the rest of 4xx. */
export class RequestRefused extends Schema.TaggedError<RequestRefused>()("RequestRefused", {
  ...where,
  status: Schema.Int,
  code: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    // A dialect file sets only the page size of a request.
    const isOfPage = [400, 413, 422].includes(this.status) && /[?&]limit=/.test(this.request)
    return `The marketplace refused ${at(this)} with ${this.status} ${this.code}: ${this.detail}. ${isOfPage ? speaksOtherwise : "If it persists, report the request id to the marketplace"}`
  }
}

/** The service failed every time (5xx, 408, 409) or requires too long a wait. */
export class ServiceFailed extends Schema.TaggedError<ServiceFailed>()("ServiceFailed", {
  ...where,
  status: Schema.Int,
  code: Schema.String,
  attempts
}) {
  override get message() {
    return `The marketplace failed at ${at(this)} with ${this.status} ${this.code} after ${tries(this.attempts)}. Finished games are kept. ${later}`
  }
}

/** No complete answer: name lookup, connection, time-out or a cut body. `url` is the origin only. */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", {
  ...where,
  url: Schema.String,
  cause: Schema.String,
  attempts
}) {
  get parts() {
    return checkedByDoctor(
      `No answer from ${this.url} to ${at(this)} after ${tries(this.attempts)} (${this.cause})`,
      "Check CARDLAKE_URL and the network"
    )
  }

  override get message() {
    return messageText(this.parts)
  }
}

/** The answer does not have the marketplace's envelope: HTML, a redirect, other JSON. */
export class NotMarketplace extends Schema.TaggedError<NotMarketplace>()("NotMarketplace", {
  ...where,
  url: Schema.String,
  what: Schema.String,
  remedy: Schema.Literals(["address", "dialect", "marketplace"]),
  attempts
}) {
  get parts() {
    const fact = `${this.url} did not answer ${at(this)} as the marketplace does: ${this.what}, ${tries(this.attempts)}`
    if (this.remedy === "address") return checkedByDoctor(fact, "Check CARDLAKE_URL")
    return withoutCommand(fact, this.remedy === "dialect" ? speaksOtherwise : laterOrReport)
  }

  override get message() {
    return messageText(this.parts)
  }
}

/** The right service, but this page never arrived intact: empty, cut, invalid gzip, invalid JSON, another page. */
export class PageBroken extends Schema.TaggedError<PageBroken>()("PageBroken", {
  ...where,
  what: Schema.String,
  attempts
}) {
  override get message() {
    return `The page ${at(this)} arrived broken (${this.what}), ${tries(this.attempts)}. ${laterOrReport}`
  }
}

/** The thread that opened this page crashed, most likely for lack of memory. */
export class PageUnread extends Schema.TaggedError<PageUnread>()("PageUnread", { ...where, cause: Schema.String }) {
  override get message() {
    return `The page ${at(this)} crashed the thread that read it (${this.cause}). Give the program more memory and run it again; if it persists, report the request id to the marketplace`
  }
}

/** A list without an end: a cursor repeats, or there are more pages than any list has. */
export class PagingBroken extends Schema.TaggedError<PagingBroken>()("PagingBroken", {
  ...where,
  what: Schema.String
}) {
  override get message() {
    return `The list at ${at(this)} does not end: ${this.what}. ${laterOrReport}`
  }
}

/** Every way in which a call of the marketplace can fail. None contains the API key. */
export const MarketplaceError = Schema.Union([
  KeyRefused,
  AccessForbidden,
  NotFound,
  RateLimited,
  RequestRefused,
  ServiceFailed,
  Unreachable,
  NotMarketplace,
  PageBroken,
  PageUnread,
  PagingBroken,
  BudgetUnasked
])
export type MarketplaceError = typeof MarketplaceError.Type
