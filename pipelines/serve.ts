import { Console, Effect } from "effect"
import packageJson from "../package.json" with { type: "json" }
import { admissionFault, readToken } from "../src/desk/serve/admission.ts"
import { serveLake } from "../src/desk/serve/serveLake.ts"
import { isStartedByNpm } from "./print/hints.ts"
import { wrongUsage } from "./print/printAnswer.ts"
import type * as specs from "./specs/reading.ts"

/** Serves the lake to other programs until it is stopped. */
export const serve = Effect.fnUntraced(function* (input: typeof specs.serve.Input) {
  const { allowHost: allowedHosts, host, json, port, tokenFile, withCollection } = input
  const fault = admissionFault({ allowedHosts, host, tokenFile, withCollection })
  if (fault !== null) return yield* wrongUsage(fault)
  const url = yield* serveLake({
    admission: { host, allowedHosts, token: tokenFile === null ? null : yield* readToken(tokenFile) },
    port,
    program: (yield* isStartedByNpm) ? "npx cardlake" : "cardlake",
    version: packageJson.version,
    withCollection
  })
  yield* Console.log(json ? JSON.stringify({ url }) : `The lake: ${url}/v1/changes?since=0\nStop with Ctrl-C.`)
  return yield* Effect.never
})
