import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import { cardlake, json, settings, startCardlake, startSandbox } from "../pipelines/cli.ts"
import { catalogueFolder, gameId } from "../store/lake/invented.ts"
import { address, savedBucket } from "../store/home/tinyBucket.ts"
import { deployments } from "./tinyNights.ts"

/** Every command that changes a home, as people start it. */
const commands: Readonly<Record<string, ReadonlyArray<string>>> = {
  nightly: ["nightly"],
  rollback: ["rollback", gameId, "--yes"],
  replay: ["replay", gameId],
  compact: ["compact"],
  prune: ["prune", "--keep-last", "1", "--yes"],
  fx: ["fx", "rates.csv"],
  repair: ["doctor", "--repair"]
}
const names = Object.keys(commands)
const pairs = names.flatMap((first, at) => names.slice(at).map((second) => [first, second] as const))

describe("two commands at once on one home in a folder", () => {
  const work = mkdtempSync(join(tmpdir(), "cardlake-pairs-"))
  const scope = Scope.makeUnsafe()
  let env: (home: string) => Record<string, string>
  beforeAll(async () => {
    const catalogue = await Effect.runPromise(Scope.provide(catalogueFolder({ [gameId]: deployments }), scope))
    const sandbox = await startSandbox({ catalogue })
    afterAll(sandbox.stop)
    env = (home) => settings(sandbox.url, join(work, home))
    writeFileSync(join(work, "rates.csv"), "Date,USD\n2026-01-02,1.1\n")
    for (let night = 0; night < 3; night++) {
      json(await cardlake(["nightly", "--json"], { env: env("before") }))
      await sandbox.deploy(gameId)
    }
  })
  afterAll(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(work, { recursive: true, force: true })
  })

  for (const [first, second] of pairs)
    it(`${first} and ${second}: each takes effect whole, or says that the home is in use`, async () => {
      const home = `${first} ${second}`
      cpSync(join(work, "before"), join(work, home), { recursive: true })
      const ended = await Promise.all(
        [first, second].map((name) => startCardlake(commands[name] ?? [], { env: env(home), cwd: work }).ended)
      )
      for (const { code, stderr } of ended)
        if (code !== 0) assert.match(stderr, /is in use|is locked|is running/, `${code}`)
      assert.isTrue(ended.some(({ code }) => code === 0))
      const found = await cardlake(["doctor", "--json"], { env: env(home), cwd: work })
      assert.deepStrictEqual(
        (JSON.parse(found.stdout) as ReadonlyArray<{ ok: boolean; says: string }>).flatMap(({ ok, says }) =>
          ok ? [] : [says]
        ),
        []
      )
      json(await cardlake(["nightly", "--json"], { env: env(home), cwd: work }))
    })
})

describe("two commands at once on one home in a bucket", async () => {
  const { tiny } = await savedBucket(async (one) => {
    writeFileSync(join(one.work, "rates.csv"), "Date,USD\n2026-01-02,1.1\n")
    for (let night = 0; night < 3; night++) {
      json(await one.run("nightly", "--json"))
      await one.sandbox.deploy(gameId)
    }
  })
  for (const [first, second] of pairs)
    it(`${first} and ${second}: each takes effect whole, or says that others were faster`, async () => {
      const where = { env: tiny.env(address), cwd: tiny.work }
      const ended = await Promise.all([first, second].map((name) => startCardlake(commands[name] ?? [], where).ended))
      for (const { code, stderr } of ended) assert.include([0, 75], code, stderr)
      assert.isTrue(ended.some(({ code }) => code === 0))
      assert.deepStrictEqual(await tiny.wrong(), [])
      json(await tiny.run("nightly", "--json"))
      assert.deepStrictEqual(await tiny.wrong(), [])
    })
})
