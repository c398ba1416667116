import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { zone } from "./flags/cronFlags.ts"
import { textArgument, json, url, wholeNumberFlag, optionalText } from "./flags/sharedFlags.ts"
import { warnings } from "./print/standardError.ts"

const folder = textArgument("folder").pipe(
  Argument.withDescription("Folder for the settings and the schedule files; made if it is not there")
)
const home = optionalText("home", "DIR", "Folder of the lake; default: CARDLAKE_HOME, else lake in the folder")
const hour = wholeNumberFlag("hour", "HOUR", { from: 0, to: 23 }).pipe(
  Flag.withDescription("Hour at which a night begins; default: 3"),
  Flag.optional
)
const tz = zone("Time zone of the hour, such as Europe/Zurich; default: this machine's").pipe(Flag.optional)

/** Prepares a folder for nights at a marketplace. */
export const init = Command.make(
  "init",
  { folder, url, home, hour, tz, json },
  Effect.fnUntraced(function* ({ folder, json, ...told }) {
    const { runInit } = yield* Effect.promise(() => import("./init/runInit.ts"))
    yield* runInit({ folder: resolve(folder), ...told }, json)
  })
).pipe(
  Command.withDescription(
    "Ask for what a night needs, check it, and write a .env and schedule files into a folder; nothing is installed"
  ),
  Command.withExamples([
    {
      command: "cardlake init /srv/cardlake",
      description: "Asks for the address, the key, the home, the hour and the zone"
    },
    {
      command: "cardlake init /srv/cardlake --url https://api.your-marketplace.example --hour 3 < key.txt",
      description: "Asks nothing; the key comes from standard input or CARDLAKE_API_KEY"
    }
  ]),
  Command.provide(warnings)
)
