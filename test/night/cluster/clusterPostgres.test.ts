import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { type AddressInfo, createServer, type Server } from "node:net"
import { TLSSocket } from "node:tls"
import { Deferred, Effect, Layer, Redacted } from "effect"
import { clusterPostgres } from "../../../src/night/cluster/clusterPostgres.ts"
import { certificate } from "../../feed/client/certificate.ts"
import { workForFleet } from "../../../src/night/cluster/fleet.ts"
import { ownPostgres, type OwnPostgres } from "./ownPostgres.ts"
import { hasPostgres, whyNoPostgres } from "./postgresPrograms.ts"
import { transactionPooler } from "./transactionPooler.ts"

/**
 * How a member ends; one that waits ends with what it says of the absence.
 * A connection that a busy machine did not make in time is made again.
 */
const endOf = (url: string, isWaiting: boolean) =>
  Effect.gen(function* () {
    const away = yield* Deferred.make<string>()
    const onOutage = (reason: string) =>
      reason === "Connection timed out" ? Effect.void : Effect.asVoid(Deferred.succeed(away, `waits: ${reason}`))
    const built = Layer.build(clusterPostgres(Redacted.make(url), "test", isWaiting ? onOutage : null))
    const ended = Effect.as(built, "none").pipe(Effect.catch(({ message }) => Effect.succeed(message)))
    return yield* Effect.raceFirst(ended, Deferred.await(away))
  }).pipe(Effect.scoped, Effect.runPromise)

const refusalOf = (url: string) => endOf(url, false)

/** A server that says yes to TLS, with a certificate of its own. */
const selfSigned = () => {
  const server = createServer((socket) => {
    socket.on("error", () => {})
    socket.once("data", () => {
      socket.write("S")
      new TLSSocket(socket, { isServer: true, ...certificate }).on("error", () => {})
    })
  }).listen(0, "127.0.0.1")
  return once(server, "listening").then(() => server)
}
const portOf = (server: Server): number => (server.address() as AddressInfo).port

describe("the fleet's Postgres", () => {
  it("says where it is not, without the password", async () => {
    const said = await refusalOf("postgres://me:hush@127.0.0.1:1/lake")
    assert.match(
      said,
      /^postgres:\/\/127\.0\.0\.1:1\/lake: no connection: connect ECONNREFUSED .*Check address, database, user and password/
    )
    assert.notInclude(said, "hush")
  })

  it.each([
    ["postgres://ann@127.0.0.1:9/db?sslmode=no-verify", "its sslmode is not one of disable, allow, prefer, require"],
    ["postgres://ann:a%zz@127.0.0.1:9/db", "it has an invalid % escape. Write % as %25"],
    ["postgres://ann:a%@127.0.0.1:9/db", "it has an invalid % escape"],
    ["postgres://ann:12/hush@127.0.0.1:9/db", "In a user or a password, write / as %2F"],
    ["postgres://ann:12?hush@127.0.0.1:9/db", "it continues after the database"],
    ["postgres://ann:12#hush@127.0.0.1:9/db", "it continues after the database"],
    ["postgres:///db", "it names no host. Give one host, as in postgres://user:password@host/database"],
    ["postgres://ann@one,two/db", "it names several hosts"],
    ["postgres://ann@127.0.0.1:9/db?port=x", "Postgres refused: Invalid port"],
    ["postgres://ann@127.0.0.1:9/db?sslrootcert=/ca.pem", "not supported. Leave it out, and set NODE_EXTRA_CA_CERTS"],
    [
      "postgres://ann@127.0.0.1:9/db?target_session_attrs=primary",
      "its parameter target_session_attrs is not supported"
    ]
  ])("is not waited for at %s", async (url, says) => {
    const said = await endOf(url, true)
    assert.include(said, says)
    assert.notMatch(said, /^waits|hush|a%/)
  })

  it("is not waited for where Node does not trust its certificate", async () => {
    const server = await selfSigned()
    const said = await endOf(`postgres://ann@127.0.0.1:${portOf(server)}/db?sslmode=require`, true)
    server.close()
    assert.match(
      said,
      /Postgres refused: self-signed certificate.*\. Set NODE_EXTRA_CA_CERTS to the CA .* certificate$/
    )
  })

  it("is not waited for where something else answers", async () => {
    const server = createServer((socket) =>
      socket.on("error", () => {}).once("data", () => socket.end("HTTP/1.1 400"))
    ).listen(0, "127.0.0.1")
    await once(server, "listening")
    const said = await endOf(`postgres://ann@127.0.0.1:${portOf(server)}/db`, true)
    server.close()
    assert.match(said, /Postgres refused: /)
  })

  it("is waited for where nobody listens, or whoever does hangs up", async () => {
    const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1")
    await once(server, "listening")
    const port = portOf(server)
    assert.match(await endOf(`postgres://ann@127.0.0.1:${port}/db`, true), /^waits: Connection closed unexpectedly$/)
    server.close()
    assert.match(await endOf(`postgres://ann@127.0.0.1:${port}/db`, true), /^waits: connect ECONNREFUSED/)
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

  it.each([
    ["a database that is not there", "/nowhere", 'database "nowhere" does not exist'],
    [
      "an option that it does not know",
      "/postgres?options=-c%20work_mem=many",
      'invalid value for parameter "work_mem"'
    ],
    ["encryption that it does not have", "/postgres?sslmode=require", "The server does not support TLS"]
  ])("is not waited for with %s", async (_, rest, says) => {
    const said = await endOf(`postgres://cardlake:hush@127.0.0.1:${postgres.port}${rest}`, true)
    assert.include(said, `Postgres refused: ${says}`)
  })

  it("is not waited for by a member that may not make its tables", async () => {
    await postgres.run("create role poor login")
    const as = { home: "s3://poor", name: "poor", postgres: Redacted.make(postgres.url.replace("cardlake", "poor")) }
    const steps = { plan: () => Effect.never, read: () => Effect.never, publish: () => Effect.never }
    const lost = (reason: string) => Effect.die(reason)
    const works = workForFleet(as, { atOnce: 1, onReady: Effect.void, steps, onOutage: Effect.die, onLost: lost })
    const said = await Effect.runPromise(Effect.flip(Effect.timeout(works, "60 seconds")))
    assert.match(said.message, /Postgres refused: .*permission denied for schema public.*must be able to create tables/)
  })

  it("is refused behind a pooler that lends sessions for a transaction", async () => {
    const pooler = await transactionPooler(postgres.port)
    const said = await refusalOf(`postgres://cardlake:hush@127.0.0.1:${pooler.port}/postgres`)
    pooler.close()
    assert.strictEqual(
      said,
      `postgres://127.0.0.1:${pooler.port}/postgres: a pooler of transactions breaks its locks. ` +
        "Give the address of Postgres itself, or of a pooler with pool_mode = session"
    )
  })
})
