import { Effect } from "effect"
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { filledOnce } from "../filledOnce.ts"
import { cardlake, filesBelow, json, settings, startSandbox } from "./cli.ts"
import type { Ended } from "./runHere.ts"

/** The game that these nights read. */
export const game = "clockwork-orchard"

/** A night as it ended, and how many snapshots the home has then. */
interface Night extends Ended {
  readonly snapshots: number
}

/** Before which nights of the home there is a deployment. */
const isDeployed = [false, false, true, true, true]

const fillHome = async (folder: string) => {
  const [home, first] = [join(folder, "lake"), join(folder, "first")]
  const sandbox = await startSandbox()
  const nights: Array<Night> = []
  for (const isNew of isDeployed) {
    if (isNew) await sandbox.deploy(game)
    const ended = await cardlake(["nightly", game, "--json"], { env: settings(sandbox.url, home) })
    const manifests = filesBelow(join(home, "snapshots")).filter((file) => file.endsWith("manifest.json"))
    nights.push({ ...ended, snapshots: manifests.length })
    if (nights.length === 1) cpSync(home, first, { recursive: true })
  }
  await sandbox.stop()
  writeFileSync(join(folder, "nights.json"), JSON.stringify(nights))
}

/**
 * A home of five nights, made once for all processes of a run, and how they ended: before the second one there was no
 * deployment. `first` is the home after the first night, to be copied. Nobody changes either.
 */
export const servedNights = async () => {
  const folder = await Effect.runPromise(filledOnce("served", (folder) => Effect.promise(() => fillHome(folder))))
  const nights = JSON.parse(readFileSync(join(folder, "nights.json"), "utf8")) as ReadonlyArray<Night>
  const runIds = nights.map((ended) => (json(ended) as { run: string }).run)
  const home = join(folder, "lake")
  return {
    home,
    first: join(folder, "first"),
    nights,
    runIds,
    /** The ids of the nights that published a snapshot. */
    published: runIds.filter((_, place) => place !== 1),
    /** The settings of a command on the home, where no marketplace answers. */
    env: settings("http://127.0.0.1:9", home)
  }
}
