import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"

/** Creates a value per request that all copies of the request share; `usual` if it is not set. */
export const factOfRequest = <A>(usual: A) => {
  const facts = new WeakMap<object, A>()
  const of = <B>(use: (source: object) => B) =>
    Effect.map(HttpServerRequest.HttpServerRequest, ({ source }) => use(source))
  return {
    ask: of((source) => facts.get(source) ?? usual),
    set: (fact: A) => of((source) => void facts.set(source, fact))
  }
}
