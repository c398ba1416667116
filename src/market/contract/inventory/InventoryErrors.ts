import { Schema } from "effect"
import { Count } from "../../../feed/contract/Catalogue.ts"
import { problem } from "../../../feed/contract/Errors.ts"

/** The customId, or the name of a tag or location, is already used. Beyond the spec: section 2, 409. */
export class Conflict extends problem<Conflict>(
  "Conflict",
  "The customId, or the name of a tag or location, is taken."
)(409, "CONFLICT", { customId: Schema.optionalKey(Schema.String), name: Schema.optionalKey(Schema.String) }) {}

/** The line has fewer units than requested. Beyond the spec: section 2, 409. */
export class InsufficientQuantity extends problem<InsufficientQuantity>(
  "InsufficientQuantity",
  "The line has `data.available` units, fewer than requested."
)(409, "INSUFFICIENT_QUANTITY", { inventoryId: Schema.String, available: Count, requested: Schema.Int }) {}

/** The line is already for sale. Beyond the spec: section 2, 409. */
export class AlreadyListed extends problem<AlreadyListed>("AlreadyListed", "The line is for sale already.")(
  409,
  "ALREADY_LISTED",
  { inventoryId: Schema.String }
) {}

/** `count` was sent without a change, or together with `quantity`. Beyond the spec: section 2, 400. */
export class InvalidCount extends problem<InvalidCount>(
  "InvalidCount",
  "`count` came without a change, or together with `quantity`."
)(400, "INVALID_COUNT", {}) {}

/** The product has no such finish. Beyond the spec: section 10. */
export class InvalidFinish extends problem<InvalidFinish>(
  "InvalidFinish",
  "The product has no such finish; `data.allowed` has those that it has."
)(400, "INVALID_FINISH", { finish: Schema.String, allowed: Schema.Array(Schema.String) }) {}

/** The product has no such language, or a card has no language. Beyond the spec: section 10. */
export class InvalidLanguage extends problem<InvalidLanguage>(
  "InvalidLanguage",
  "The product was not printed in this language, or a card is without one."
)(400, "INVALID_LANGUAGE", { language: Schema.NullOr(Schema.String), allowed: Schema.Array(Schema.String) }) {}

/** The URL is not a photo of the line. Beyond the spec: section 10. */
export class PhotoNotFound extends problem<PhotoNotFound>("PhotoNotFound", "The address is no photo of the line.")(
  422,
  "PHOTO_NOT_FOUND",
  { url: Schema.String }
) {}

/** The price is not in the seller's currency. Beyond the spec: section 2, 422. */
export class CurrencyMismatch extends problem<CurrencyMismatch>(
  "CurrencyMismatch",
  "The price has to be in the seller's currency, `data.expected`."
)(422, "CURRENCY_MISMATCH", { provided: Schema.String, expected: Schema.String }) {}

/** The account has no location of this name. Beyond the spec: section 2, 422. */
export class LocationNotFound extends problem<LocationNotFound>(
  "LocationNotFound",
  "The account has no location of this name."
)(422, "LOCATION_NOT_FOUND", { name: Schema.String }) {}

/** The account has no tag of this name. Beyond the spec: section 2, 422. */
export class TagNotFound extends problem<TagNotFound>("TagNotFound", "The account has no tag of this name.")(
  422,
  "TAG_NOT_FOUND",
  { name: Schema.String }
) {}
