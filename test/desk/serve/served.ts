import { Effect, type Redacted } from "effect"
import { serveLake } from "../../../src/desk/serve/serveLake.ts"
import { allowedHost } from "../../feed/guard/hosts.ts"

/** What a request got. */
export interface Got {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Serves the suite's home on a free port of 127.0.0.1 until the scope closes; returns a function that requests. */
export const serving = Effect.fnUntraced(function* (token: Redacted.Redacted | null = null, withCollection = false) {
  const url = yield* serveLake({
    admission: { host: "127.0.0.1", allowedHosts: [allowedHost], token },
    port: 0,
    program: "cardlake",
    version: "1",
    withCollection
  })
  const get = (path: string, init: RequestInit = {}): Effect.Effect<Got> =>
    Effect.promise(async (signal) => {
      const answer = await fetch(url + path, { signal, ...init })
      return { status: answer.status, headers: answer.headers, text: await answer.text() }
    })
  return { url, get }
})

/** The lines of an answer as JSON; the last one has the next number. */
export const linesOf = ({ text }: Got) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
