import * as Effect from "effect/Effect"
import { shellWord } from "../../src/feed/contract/shellWord.ts"
import { serveCapture } from "../../src/market/serveCapture.ts"
import { readCapture } from "../../src/night/run/capture/captureFile.ts"
import { unreadParts } from "../../src/night/run/capture/capturedPages.ts"
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
  const isRead = unreadParts(capture).length === 0 && capture.game !== null
  const night = `CARDLAKE_API_KEY=${served.key} cardlake nightly ${shellWord(capture.game ?? "GAME")} --url ${served.url} --home /tmp/captured`
  yield* printAnswer(
    json,
    { ...served, game: capture.game, seller: null, buyer: null, listingId: null },
    ({ told, url }) =>
      [
        ...told,
        "",
        `The sandbox listens at ${url}`,
        `Key: ${served.key}`,
        isRead
          ? `Try a night of it:  ${night}`
          : "No night can be tried: what it needs could not be read. Capture it again with: cardlake doctor --capture FILE",
        "Stop with Ctrl-C"
      ].join("\n")
  )
  return yield* Effect.never
})
