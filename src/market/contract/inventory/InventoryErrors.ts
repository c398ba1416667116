import { Schema } from "effect"
import { Count } from "../../../contract/Catalogue.ts"
import { problem } from "../../../contract/Errors.ts"

/** The customId, or the name of a tag or location, is taken. Beyond the spec: section 2, 409. */
export class Conflict extends problem<Conflict>("Conflict")(409, "CONFLICT", {
  customId: Schema.optionalKey(Schema.String),
  name: Schema.optionalKey(Schema.String)
}) {}

/** The line holds fewer units than were asked for. Beyond the spec: section 2, 409. */
export class InsufficientQuantity extends problem<InsufficientQuantity>("InsufficientQuantity")(
  409,
  "INSUFFICIENT_QUANTITY",
  { inventoryId: Schema.String, available: Count, requested: Schema.Int }
) {}

/** The line is for sale already. Beyond the spec: section 2, 409. */
export class AlreadyListed extends problem<AlreadyListed>("AlreadyListed")(409, "ALREADY_LISTED", {
  inventoryId: Schema.String
}) {}

/** `count` came without a change, or together with `quantity`. Beyond the spec: section 2, 400. */
export class InvalidCount extends problem<InvalidCount>("InvalidCount")(400, "INVALID_COUNT", {}) {}

/** The product has no such finish. Beyond the spec: section 10. */
export class InvalidFinish extends problem<InvalidFinish>("InvalidFinish")(400, "INVALID_FINISH", {
  finish: Schema.String,
  allowed: Schema.Array(Schema.String)
}) {}

/** The product was not printed in this language, or a card is without one. Beyond the spec: section 10. */
export class InvalidLanguage extends problem<InvalidLanguage>("InvalidLanguage")(400, "INVALID_LANGUAGE", {
  language: Schema.NullOr(Schema.String),
  allowed: Schema.Array(Schema.String)
}) {}

/** An address that is no photo of the line. Beyond the spec: section 10. */
export class PhotoNotFound extends problem<PhotoNotFound>("PhotoNotFound")(422, "PHOTO_NOT_FOUND", {
  url: Schema.String
}) {}

/** A price in another currency than the seller's. Beyond the spec: section 2, 422. */
export class CurrencyMismatch extends problem<CurrencyMismatch>("CurrencyMismatch")(422, "CURRENCY_MISMATCH", {
  provided: Schema.String,
  expected: Schema.String
}) {}

/** The account has no location of this name. Beyond the spec: section 2, 422. */
export class LocationNotFound extends problem<LocationNotFound>("LocationNotFound")(422, "LOCATION_NOT_FOUND", {
  name: Schema.String
}) {}

/** The account has no tag of this name. Beyond the spec: section 2, 422. */
export class TagNotFound extends problem<TagNotFound>("TagNotFound")(422, "TAG_NOT_FOUND", {
  name: Schema.String
}) {}
