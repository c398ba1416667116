import { HttpServerResponse } from "effect/http"
import type { ErrorEnvelope } from "../../feed/contract/Errors.ts"

/**
 * An error as every operation returns it, if the contract has no error class for it. Beyond the spec: section 2.
 */
export const envelopeAnswer = (
  status: number,
  { code, data = {}, message }: Pick<ErrorEnvelope, "code" | "message"> & Partial<Pick<ErrorEnvelope, "data">>
) => HttpServerResponse.jsonUnsafe({ code, status, message, data } satisfies ErrorEnvelope, { status })
