import { Result, type Schema, SchemaParser } from "effect"
import { canBeElsewhere, schemaFault } from "../contract/schemaFault.ts"

/** The remedy for an answer that is not the marketplace's: another address, a dialect file, or only the marketplace itself. */
export type Remedy = "address" | "dialect" | "marketplace"

/** JSON that is not the marketplace's. A plain text instead means: the marketplace's, but broken. */
export interface NotOurJson {
  readonly _tag: "foreign"
  readonly what: string
  readonly remedy: Remedy
}

/** The decoded JSON. A failure is a text if the JSON is the marketplace's own, and {@link NotOurJson} if it is not. */
export type OpenedJson<A> = Result.Result<A, NotOurJson | string>

/** Decodes JSON that must be `something`, such as `an account`. With `none`, a dialect file cannot rename its keys. */
export const readJson = <A>(schema: Schema.Codec<A, unknown>, something: string, words: "words" | "none" = "words") => {
  const decode = SchemaParser.decodeUnknownResult(schema)
  const findFault = schemaFault(schema)
  return (json: unknown): Result.Result<A, NotOurJson> =>
    Result.mapError(decode(json), (): NotOurJson => {
      const { path, reason } = findFault(json)
      const remedy = words === "words" && canBeElsewhere(reason) ? "dialect" : "marketplace"
      const what = `its JSON is not ${something} (${path === "" ? "" : `${path}: `}${reason})`
      return { _tag: "foreign", what, remedy }
    })
}

/** The reason that an answer cannot be opened. */
export type OpenFault = string | NotOurJson | { readonly _tag: "crashed"; readonly cause: string }
