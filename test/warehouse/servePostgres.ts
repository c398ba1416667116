import { Effect } from "effect"
import { spawn, spawnSync, type SpawnSyncOptionsWithStringEncoding } from "node:child_process"
import { chownSync, globSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { root } from "../pipelines/cli.ts"

const initdb = globSync("/usr/lib/postgresql/*/bin/initdb").sort().at(-1)
/** Why tests with a Postgres are skipped; null = they are not. */
export const noPostgres = initdb === undefined ? "There is no Postgres in /usr/lib/postgresql" : null

/** Postgres refuses to be started by root: it then is the user `nobody`. */
const nobody = 65534
const user = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}

/** What a run of psql left. */
export interface OfPsql {
  readonly signal: string | null
  readonly code: number | null
  readonly out: string
  readonly errors: string
}

/** A Postgres on a socket of its own until the scope ends: runs scripts in a database of it. */
export const servePostgres = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = mkdtempSync(join(tmpdir(), "cardlake-postgres-"))
    if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
    const [bin, data] = [dirname(initdb ?? ""), join(folder, "data")]
    const options: SpawnSyncOptionsWithStringEncoding = { ...user, cwd: folder, encoding: "utf8" }
    const made = spawnSync(join(bin, "initdb"), ["-D", data, "-A", "trust", "-U", "cardlake", "-N"], options)
    if (made.status !== 0) throw new Error(made.stderr)
    const server = spawn(join(bin, "postgres"), ["-D", data, "-k", folder, "-c", "listen_addresses=", "-F"], {
      ...user,
      cwd: folder,
      stdio: "ignore"
    })
    const psql = (database: string, script: string, env: Readonly<Record<string, string>> = {}): OfPsql => {
      const { CARDLAKE_HOME: _, ...bare } = process.env
      const ran = spawnSync(join(bin, "psql"), ["-qAtX", "-h", folder, "-U", "cardlake", "-d", database, "-f", "-"], {
        cwd: root,
        env: { ...bare, ...env },
        input: script,
        encoding: "utf8",
        maxBuffer: 2 ** 28
      })
      return { signal: ran.signal, code: ran.status, out: ran.stdout, errors: ran.stderr }
    }
    for (let tries = 0; psql("postgres", "select 1").code !== 0; tries++) {
      if (tries === 100) throw new Error("Postgres does not start")
      await setTimeout(100)
    }
    return { folder, psql, server }
  }),
  ({ folder, server }) =>
    Effect.promise(async () => {
      const ended = new Promise((resolve) => {
        server.once("exit", resolve)
      })
      server.kill("SIGINT")
      await ended
      rmSync(folder, { recursive: true, force: true })
    })
).pipe(Effect.map(({ psql }) => psql))
