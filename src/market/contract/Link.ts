import { Schema } from "effect"

/** A URL that the marketplace generates. */
export const Link = Schema.String.annotate({ format: "uri" })
