import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { clusterPostgres } from "../../src/fleet/clusterPostgres.ts"
import { ownPostgres, type OwnPostgres } from "./ownPostgres.ts"
import { hasPostgres, whyNoPostgres } from "./postgresPrograms.ts"
import { transactionPooler } from "./transactionPooler.ts"

const refusalOf = (url: string) =>
  Effect.runPromise(
    Effect.scoped(Layer.build(clusterPostgres(Redacted.make(url), "test", null))).pipe(
      Effect.as("none"),
      Effect.catch(({ message }) => Effect.succeed(message))
    )
  )

describe("the fleet's Postgres", () => {
  it("says where it is not, without the password", async () => {
    const said = await refusalOf("postgres://me:hush@127.0.0.1:1/lake")
    assert.match(
      said,
      /^postgres:\/\/127\.0\.0\.1:1\/lake: there is no connection: connect ECONNREFUSED .*Check address, database, user and password/
    )
    assert.notInclude(said, "hush")
  })
})

describe.skipIf(!hasPostgres)(`the fleet's Postgres (${whyNoPostgres})`, () => {
  let postgres: OwnPostgres
  beforeAll(async () => {
    postgres = await ownPostgres()
  })
  afterAll(() => postgres.remove())

  it("is taken if a session is the program's own", async () => {
    assert.strictEqual(await refusalOf(postgres.url), "none")
  })

  it("is refused behind a pooler that lends sessions for a transaction", async () => {
    const pooler = await transactionPooler(postgres.port)
    const said = await refusalOf(`postgres://cardlake:hush@127.0.0.1:${pooler.port}/postgres`)
    pooler.close()
    assert.strictEqual(
      said,
      `postgres://127.0.0.1:${pooler.port}/postgres: a pooler gives each transaction another session, so that no lock holds. ` +
        "Name Postgres itself, or the pooler's port for sessions (pool_mode = session)"
    )
  })
})
