import { Schema } from "effect"

/** An address that the marketplace makes. */
export const Link = Schema.String.annotate({ format: "uri" })
