import { Effect } from "effect"
import { join } from "node:path"
import { node, start } from "../pipelines/cli.ts"

/** Runs the simulation in a process of its own, because it replaces modules. */
export const simulate = (...args: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const { code, stderr, stdout } = await start(node, [join(import.meta.dirname, "main.ts"), ...args], { env: {} })
      .ended
    return { code, said: `${stdout}${stderr}` }
  })
