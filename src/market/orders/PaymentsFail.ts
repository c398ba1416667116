import { Context } from "effect"

/**
 * Whether the payment service behind the marketplace fails while
 * this request is answered. Beyond the spec: section 2, 502.
 */
export const PaymentsFail = Context.Reference<boolean>("cardlake/sandbox/PaymentsFail", { defaultValue: () => false })
