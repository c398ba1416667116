import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { badRequest } from "../answers/badRequest.ts"

const most = 10

/** The pairs of `metadata[key]=value` in a query, ten at most. Beyond the spec: sections 1 and 12. */
export const metadataFilter = Effect.gen(function* () {
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const query = url.includes("?") ? url.slice(url.indexOf("?")) : ""
  const pairs = [...new URLSearchParams(query)].flatMap(([name, value]) => {
    const key = /^metadata\[(.+)\]$/.exec(name)?.[1]
    return key === undefined ? [] : [[key, value] as const]
  })
  return pairs.length > most ? yield* badRequest("metadata", `more than ${most} pairs`) : pairs
})
