import * as Flag from "effect/cli/Flag"
import { hostName } from "../../src/feed/guard/hostFault.ts"
import { textFlag } from "./sharedFlags.ts"

/** A name without a port: a server answers to it on whatever port it is reached. */
const isName = (text: string): boolean => hostName(text) !== undefined && !/:\d*$/.test(text)

/** Names under which a server on this machine is reached, such as by a proxy before it. */
export const allowHost = textFlag("allow-host", "NAME").pipe(
  Flag.withDescription(
    "Answer to this name, too, as often as you like; default: only to 127.0.0.1, localhost and [::1], on any port"
  ),
  Flag.filter(isName, () => "Expected a name without scheme and port, such as lake.example"),
  Flag.atLeast(0)
)
