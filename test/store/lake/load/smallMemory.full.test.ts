import { assert, it } from "@effect/vitest"
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { json, main, node, remove, settings, start, startSandbox, temporaryFolder } from "../../../pipelines/cli.ts"
import { syntheticCatalogue } from "../../../support/syntheticCatalogue.ts"

const controlGroups = "/sys/fs/cgroup"

/** A container's bound on the memory of what runs in it; null where this process may not make one. */
const boundedMemory = (megabytes: number) => {
  const older = existsSync(join(controlGroups, "memory"))
  const folder = join(controlGroups, older ? "memory" : "", `cardlake-${process.pid}`)
  try {
    mkdirSync(folder)
    writeFileSync(join(folder, older ? "memory.limit_in_bytes" : "memory.max"), String(megabytes * 2 ** 20))
    return { join: join(folder, "cgroup.procs"), remove: () => rmdirSync(folder) }
  } catch {
    return null
  }
}

it("512 MB are enough for two nights of 200,000 products", async (context) => {
  const memory = boundedMemory(512)
  if (memory === null) return context.skip("this process may not bound the memory of another")
  const folder = temporaryFolder()
  const sandbox = await startSandbox({ catalogue: { games: syntheticCatalogue(200_000) } })
  for (let night = 0; night < 2; night++) {
    const command = `echo $$ > ${memory.join} && exec "${node}" "${main}" nightly --json`
    const ended = await start("sh", ["-c", command], { env: settings(sandbox.url, join(folder, "home")) }).ended
    assert.propertyVal(json(ended), "verdict", "published")
    await sandbox.deploy("synthetic-1")
  }
  await sandbox.stop()
  memory.remove()
  remove(folder)
})
