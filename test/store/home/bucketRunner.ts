import { createInterface } from "node:readline"
import { runHere } from "../../pipelines/runHere.ts"

/** A long-lived process that runs the commands that it is told, one line of JSON each, and says how each ended. */
for await (const line of createInterface({ input: process.stdin })) {
  const { args, cwd, env } = JSON.parse(line) as {
    readonly args: ReadonlyArray<string>
    readonly cwd: string
    readonly env: Record<string, string>
  }
  const ended = await runHere(args, { cwd, env: { ...process.env, ...env }, hasShortWaits: true })
  process.stdout.write(`${JSON.stringify(ended)}\n`)
}
