import { Effect } from "effect"
import packageJson from "../package.json" with { type: "json" }
import { serveAssistant } from "../src/desk/assistant/serveAssistant.ts"
import { noLake } from "../src/store/lake/publish/openLake.ts"
import { isThere } from "../src/store/home/disk.ts"
import { Home } from "../src/store/home/Home.ts"
import type * as specs from "./specs/reading.ts"

/** Answers an assistant's questions about the lake until standard input ends. */
export const mcp = Effect.fnUntraced(function* ({ withCollection }: typeof specs.mcp.Input) {
  if (!isThere((yield* Home).lake)) return yield* noLake
  return yield* serveAssistant({ version: packageJson.version, withCollection })
})
