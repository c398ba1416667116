import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { allowHost } from "./flags/allowHost.ts"
import { portFlag } from "./flags/numberFlag.ts"
import { home, json } from "./flags/sharedFlags.ts"

const port = portFlag("port").pipe(
  Flag.withDescription("Port on 127.0.0.1; default: 4700; 0 picks a free one"),
  Flag.withDefault(4700)
)

/** Serves pages over the lake until it is told to stop. */
export const explore = Command.make(
  "explore",
  { port, allowHost, home, json },
  Effect.fnUntraced(function* ({ allowHost, json, port }) {
    // Loaded here, so that no other command waits for the HTTP server.
    const { serveExplorer } = yield* Effect.promise(() => import("../src/explorer/serveExplorer.ts"))
    const url = yield* serveExplorer(port, allowHost)
    yield* Console.log(json ? JSON.stringify({ url }) : `The lake's pages: ${url}\nStop with Ctrl-C.`)
    return yield* Effect.never
  }, Effect.scoped)
).pipe(
  Command.withDescription("Look at the lake in a browser: read-only pages on this machine"),
  Command.withExamples([
    { command: "cardlake explore", description: "Serve the pages at http://127.0.0.1:4700" },
    { command: "cardlake explore --port 0 --json", description: "On a free port; prints {url} once it is listening" }
  ])
)
