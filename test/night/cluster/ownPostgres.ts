import { spawn, spawnSync } from "node:child_process"
import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { postgresPrograms } from "./postgresPrograms.ts"

/** In no output. */
export const password = "hush-of-the-fleet"

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  if (address === null || typeof address === "string") throw new Error("No free port")
  return address.port
}

/** Postgres refuses to run as root: it gets this user then. */
const servant = (): { readonly uid: number; readonly gid: number } | null => {
  if (process.getuid?.() !== 0) return null
  const idOf = (what: "-u" | "-g") => Number(spawnSync("id", [what, "nobody"], { encoding: "utf8" }).stdout)
  return { uid: idOf("-u"), gid: idOf("-g") }
}

/** A Postgres of one's own on 127.0.0.1, in a folder that goes with it. */
export interface OwnPostgres {
  readonly url: string
  readonly port: number
  /** Runs a statement in a session of its own. */
  readonly run: (sql: string) => Promise<void>
  /** Stops it as a power cut does. */
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
  readonly remove: () => Promise<void>
}

export const ownPostgres = async (): Promise<OwnPostgres> => {
  const folder = mkdtempSync(join(tmpdir(), "cardlake-postgres-"))
  chmodSync(folder, 0o755)
  const programs = postgresPrograms(folder)
  const data = join(folder, "data")
  const who = servant()
  if (who !== null) chownSync(folder, who.uid, who.gid)
  const asWho = who === null ? {} : who
  const made = spawnSync(
    join(programs, "initdb"),
    ["-D", data, "-U", "cardlake", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"],
    { ...asWho, cwd: folder, encoding: "utf8", env: { PATH: process.env["PATH"] } }
  )
  if (made.status !== 0) throw made.error ?? new Error(made.stderr)
  const port = await freePort()
  let running: ReturnType<typeof spawn> | null = null
  const url = `postgres://cardlake:${password}@127.0.0.1:${port}/postgres`
  const session = PgClient.layer({ url: Redacted.make(url), maxConnections: 1, connectTimeout: "1 second" })
  const run = (sql: string) =>
    PgClient.PgClient.pipe(
      Effect.flatMap((client) => client.unsafe(sql).valuesUnprepared),
      Effect.asVoid,
      Effect.provide(session),
      Effect.runPromise
    )
  const start = async () => {
    running = spawn(
      join(programs, "postgres"),
      [
        "-D",
        data,
        "-p",
        String(port),
        "-c",
        "listen_addresses=127.0.0.1",
        "-c",
        "unix_socket_directories=",
        "-c",
        "fsync=off"
      ],
      { ...asWho, cwd: folder, stdio: "ignore" }
    )
    for (let tries = 0; tries < 200; tries++) {
      const answers = await run("select 1").then(
        () => true,
        () => false
      )
      if (answers) return
      await sleep(100)
    }
    throw new Error("Postgres did not start")
  }
  const stop = async () => {
    if (running === null) return
    const ended = once(running, "exit")
    running.kill("SIGQUIT")
    await ended
    running = null
  }
  // Whoever started the tests may be killed: nothing of theirs runs on.
  process.once("exit", () => running?.kill("SIGQUIT"))
  await start()
  return {
    url,
    port,
    run,
    start,
    stop,
    remove: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
