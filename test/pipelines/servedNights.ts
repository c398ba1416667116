import { cardlake, json, settings, startSandbox } from "./cli.ts"

/** The game that these nights read. */
export const game = "clockwork-orchard"

/** A sandbox, and this many nights of its game in a home, with a deployment between them. */
export const servedNights = async (home: string, count: number) => {
  const sandbox = await startSandbox()
  const env = settings(sandbox.url, home)
  const runIds: Array<string> = []
  for (let night = 1; night <= count; night++) {
    if (night > 1) await sandbox.deploy(game)
    const report = json(await cardlake(["nightly", game, "--json"], { env }))
    runIds.push((report as { run: string }).run)
  }
  return { env, runIds, sandbox }
}
export type Served = Awaited<ReturnType<typeof servedNights>>
