import { Result, type Schema, SchemaParser } from "effect"
import { canBeElsewhere, schemaFault } from "../contract/schemaFault.ts"

/** The remedy for an answer that is not the marketplace's: another address, a dialect file, or only the marketplace itself. */
export type Remedy = "address" | "dialect" | "marketplace"

/** JSON that is not the marketplace's. A plain text instead means: the marketplace's, but broken. */
export class NotOurJson {
  readonly what: string
  readonly remedy: Remedy
  constructor(what: string, remedy: Remedy) {
    this.what = what
    this.remedy = remedy
  }
}

/** Decodes JSON that must be `something`, such as `an account`. With `none`, a dialect file cannot rename its keys. */
export const readJson = <A>(schema: Schema.Codec<A, unknown>, something: string, words: "words" | "none" = "words") => {
  const decode = SchemaParser.decodeUnknownResult(schema)
  const findFault = schemaFault(schema)
  return (json: unknown): Result.Result<A, NotOurJson> =>
    Result.mapError(decode(json), () => {
      const { path, reason } = findFault(json)
      const remedy = words === "words" && canBeElsewhere(reason) ? "dialect" : "marketplace"
      return new NotOurJson(`its JSON is not ${something} (${path === "" ? "" : `${path}: `}${reason})`, remedy)
    })
}

export class ParserCrashed {
  readonly cause: string
  constructor(cause: string) {
    this.cause = cause
  }
}

/** The reason that an answer cannot be opened. */
export type OpenFault = string | NotOurJson | ParserCrashed
