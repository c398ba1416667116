import { spawn, spawnSync } from "node:child_process"
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

/** In no output. */
export const password = "hush-of-the-fleet"

const debian = "/usr/lib/postgresql"

/** The newest Postgres of this machine; null: it has none. */
const programsFolder = (): string | null => {
  if (!existsSync(debian)) return null
  const found = readdirSync(debian)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(debian, version, "bin"))
    .find((folder) => existsSync(join(folder, "initdb")))
  return found ?? null
}

export const hasPostgres = programsFolder() !== null
export const whyNoPostgres = "needs Postgres in /usr/lib/postgresql (apt-get install postgresql)"

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
  /** What psql prints of a statement, without its heading. */
  readonly ask: (sql: string) => string
  /** Stops it as a power cut does. */
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
  readonly remove: () => Promise<void>
}

export const ownPostgres = async (): Promise<OwnPostgres> => {
  const programs = programsFolder()
  if (programs === null) throw new Error(whyNoPostgres)
  const folder = mkdtempSync(join(tmpdir(), "cardlake-postgres-"))
  chmodSync(folder, 0o755)
  const data = join(folder, "data")
  const who = servant()
  if (who !== null) chownSync(folder, who.uid, who.gid)
  const asWho = who === null ? {} : who
  const made = spawnSync(
    join(programs, "initdb"),
    ["-D", data, "-U", "cardlake", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"],
    { ...asWho, cwd: folder, encoding: "utf8", env: { PATH: process.env["PATH"] } }
  )
  if (made.status !== 0) throw new Error(made.stderr)
  const port = await freePort()
  let running: ReturnType<typeof spawn> | null = null
  const url = `postgres://cardlake:${password}@127.0.0.1:${port}/postgres`
  const ask = (sql: string): string =>
    spawnSync(join(programs, "psql"), ["-XAtq", "-c", sql, url], { encoding: "utf8" }).stdout.trim()
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
      if (spawnSync(join(programs, "pg_isready"), ["-h", "127.0.0.1", "-p", String(port), "-q"]).status === 0) return
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
    ask,
    start,
    stop,
    remove: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
