import { Schema } from "effect"
import { problem } from "../../../feed/contract/Errors.ts"
import { Amount } from "../Money.ts"

/** The order is in a state in which this cannot be done. Beyond the spec: section 2, 409. */
export class InvalidStatus extends problem<InvalidStatus>(
  "InvalidStatus",
  "The order is in a state in which this cannot be done: `data.status`."
)(409, "INVALID_STATUS", {
  status: Schema.optionalKey(Schema.String)
}) {}

/** A refund of this order, or its payout, is still on its way. Beyond the spec: section 2, 409. */
export class RefundInProgress extends problem<RefundInProgress>(
  "RefundInProgress",
  "An earlier refund of this order, or its payout, is still on its way."
)(409, "REFUND_IN_PROGRESS", {}) {}

/** More than is left to refund. Beyond the spec: section 2, 409. */
export class AmountTooHigh extends problem<AmountTooHigh>(
  "AmountTooHigh",
  "More than is left to refund: `data.maxAllowed`, in the order's currency."
)(409, "AMOUNT_TOO_HIGH", {
  maxAllowed: Amount
}) {}

/** A tracked shipping service needs a tracking number. Beyond the spec: section 2, 409. */
export class TrackingNumberRequired extends problem<TrackingNumberRequired>(
  "TrackingNumberRequired",
  "A tracked shipping service needs a tracking number."
)(409, "TRACKING_NUMBER_REQUIRED", {}) {}

/** The service ships this sale itself: the code ends with its name. Beyond the spec: section 2, 409. */
export class ShippingManaged extends problem<ShippingManaged>("ShippingManaged", "The service ships this sale itself.")(
  409,
  "SHIPPING_MANAGED_BY_MARKETPLACE",
  {}
) {}

/** More than 50 keys; nothing is stored. Spec: Metadata rules, 4; beyond the spec: section 2, 422. */
export class MetadataLimitExceeded extends problem<MetadataLimitExceeded>(
  "MetadataLimitExceeded",
  "The sale would have more than 50 keys; nothing is stored."
)(422, "METADATA_LIMIT_EXCEEDED", {}) {}

/** The carrier did not take the tracking number. Beyond the spec: section 2, 422. */
export class TrackingRegistrationFailed extends problem<TrackingRegistrationFailed>(
  "TrackingRegistrationFailed",
  "The carrier did not take the tracking number."
)(422, "TRACKING_REGISTRATION_FAILED", {}) {}

/** The payment service behind the marketplace failed. Our word for the code. Beyond the spec: section 2, 502. */
export class BadGateway extends problem<BadGateway>(
  "BadGateway",
  "The payment service behind the marketplace failed; nothing was refunded."
)(502, "BAD_GATEWAY", {}) {}
