import { BadRequest } from "../../feed/contract/Errors.ts"

/** A 400 that names the field in message and data. Beyond the spec: section 2. */
export const badRequest = (field: string, why: string): BadRequest =>
  new BadRequest({ code: "BAD_REQUEST", status: 400, message: `${field}: ${why}`, data: { field } })
