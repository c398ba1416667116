import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { tablePrefix } from "../../../src/night/cluster/cluster.ts"
import { ownPostgres, type OwnPostgres } from "./ownPostgres.ts"
import { hasPostgres, whyNoPostgres } from "./postgresPrograms.ts"
import { toyFleet } from "./toyFleet.ts"

const games = ["magic", "pokemon"]

describe.skipIf(!hasPostgres)(`messages that nobody answers (${whyNoPostgres})`, () => {
  let postgres: OwnPostgres
  let fleet: ReturnType<typeof toyFleet>
  beforeAll(async () => {
    postgres = await ownPostgres()
    fleet = toyFleet(postgres, 100)
  })
  afterAll(async () => {
    await fleet.remove()
    await postgres.remove()
  })

  it("are offered again if a worker took them after it had lost its locks", async () => {
    fleet.worker("a")
    await fleet.night("before", games)
    // As that worker does: each message is taken the moment it is there.
    await postgres.run(`
      create function take() returns trigger language plpgsql as 'begin new.last_read = now(); return new; end'`)
    await postgres.run(`
      create trigger taken before insert on ${tablePrefix(fleet.home)}_messages
      for each row when (new.tag = 'run') execute function take()`)
    const readRequest = Date.now()
    const { games: ended } = await fleet.night("n", games)
    const seconds = (Date.now() - readRequest) / 1000
    process.stdout.write(`a night whose messages somebody else took: ${seconds.toFixed(1)} s\n`)
    assert.deepStrictEqual(
      ended.map(({ gameId }) => gameId),
      games
    )
    // Twice, for the night and then for its games.
    assert.isAtMost(seconds, 60)
    const begun = fleet.steps().filter(({ step }) => step === "begin")
    assert.strictEqual(begun.length, 2 * games.length)
  })
})
