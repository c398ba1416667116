import * as Effect from "effect/Effect"
import { serveCapture } from "../../src/market/serveCapture.ts"
import { readCapture } from "../../src/run/capture/captureFile.ts"
import { printAnswer } from "../print/printAnswer.ts"

/** Serves a capture until it is told to stop. */
export const serveFrom = Effect.fnUntraced(function* (of: {
  readonly file: string
  readonly port: number
  readonly key: string | undefined
  readonly allowedHosts: ReadonlyArray<string>
  readonly json: boolean
}) {
  const { allowedHosts, file, json, key, port } = of
  const capture = yield* readCapture(file)
  const served = yield* serveCapture({ capture, port, allowedHosts, ...(key === undefined ? {} : { key }) })
  const game = capture.game ?? ""
  yield* printAnswer(
    json,
    { ...served, game: capture.game, seller: null, buyer: null, listingId: null },
    ({ told, url }) =>
      [
        ...told,
        "",
        `The sandbox listens at ${url}`,
        `Key: ${served.key}`,
        `Try a night of it:  CARDLAKE_API_KEY=${served.key} cardlake nightly ${game} --url ${url} --home /tmp/captured`,
        "Stop with Ctrl-C"
      ].join("\n")
  )
  return yield* Effect.never
})
