import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync } from "node:fs"
import { homedir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import type { Ended } from "../pipelines/runHere.ts"
import { node, root, start, type Started, temporaryFolder, type Where } from "../pipelines/cli.ts"

/** The oldest Node that runs the package. */
export const oldest = "22.19.0"

/** Runs npm without what the npm that started the tests says of its own folder. Returns what it printed. */
export const npm = (cwd: string, args: ReadonlyArray<string>, nodeFolder = dirname(node)): string => {
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_(command|config_\w*prefix)$/.test(name))
  const env = {
    npm_config_userconfig: join(homedir(), ".npmrc"),
    npm_config_cache: join(homedir(), ".npm"),
    ...Object.fromEntries(kept),
    HOME: cwd,
    PATH: `${nodeFolder}${delimiter}${process.env["PATH"]}`
  }
  const { status, stderr, stdout } = spawnSync("npm", [...args], { cwd, env, encoding: "utf8" })
  if (status !== 0) throw new Error(`npm ${args.join(" ")} failed:\n${stderr}`)
  return stdout
}

const install = ["install", "--global", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"]

/** Node 22.19 of this platform, which npm fetches once. */
export const oldestNode = (): string => {
  const folder = join(root, "node_modules/.oldest-node")
  const binary = `node-${process.platform}-${process.arch}`
  const file = join(folder, "lib/node_modules", binary, "bin/node")
  const isThere = () => existsSync(file) && String(spawnSync(file, ["--version"]).stdout).trim() === `v${oldest}`
  if (!isThere()) {
    mkdirSync(folder, { recursive: true })
    npm(folder, [...install, "--prefix", folder, `${binary}@${oldest}`])
  }
  if (!isThere()) throw new Error(`npm brought no Node ${oldest} to ${file}`)
  return file
}

export interface Installed {
  /** What `npm run build` made. */
  readonly dist: string
  /** The installed package. */
  readonly folder: string
  /** The home folder of whoever uses it, and an empty folder to start it in. */
  readonly home: string
  readonly cwd: string
  /** The sockets to elsewhere that were refused, a line each; not there = none. */
  readonly contacts: string
  readonly start: (args: ReadonlyArray<string>, env?: Record<string, string>) => Started
  /** Starts a server, and waits until it listens; `stop` ends it. */
  readonly serve: (
    args: ReadonlyArray<string>
  ) => Promise<{ readonly url: string; readonly stop: () => Promise<Ended> }>
  /** Builds the package again, as another version, and installs that one in its place. */
  readonly upgrade: () => void
  /** Starts another program on its Node, in the same place unless another is named. */
  readonly onNode: (args: ReadonlyArray<string>, where?: Where) => Started
  /** Everything above. */
  readonly all: string
}

const listening = async (server: Started) => {
  const printed = new Promise<string>((resolve) => {
    server.process.stdout?.once("data", resolve)
  })
  const { url } = JSON.parse(await Promise.race([printed, server.ended.then(({ stderr }) => stderr)])) as {
    url: string
  }
  const stop = () => {
    server.process.kill()
    return server.ended
  }
  return { url, stop }
}

/** Builds the package in `dist` and packs it beside that. Returns the tarball. */
export const packedIn = (all: string): string => {
  const dist = join(all, "dist")
  const built = spawnSync(node, [join(root, ".ci/package/build.ts"), "--to", dist], { encoding: "utf8" })
  if (built.status !== 0) throw new Error(`The build failed:\n${built.stderr}`)
  return join(all, npm(all, ["pack", dist, "--loglevel=error"]).trim())
}

/** The tarball of a build, installed by npm where there is nothing else, and run by a Node. */
export const installPackage = (onNode: string): Installed => {
  const all = temporaryFolder()
  const [dist, home, cwd, prefix] = ["dist", "home", "empty", "prefix"].map((name) => join(all, name)) as [
    string,
    string,
    string,
    string
  ]
  for (const folder of [home, cwd, prefix]) mkdirSync(folder)
  const buildAndInstall = (): void => {
    npm(all, [...install, "--prefix", prefix, packedIn(all)], dirname(onNode))
  }
  buildAndInstall()
  const contacts = join(all, "contacts.txt")
  const env = {
    HOME: home,
    PATH: [dirname(onNode), "/usr/bin", "/bin"].join(delimiter),
    NODE_OPTIONS: `--import=${join(import.meta.dirname, "onlyLoopback.mjs")}`,
    FOREIGN_CONTACTS: contacts
  }
  const startHere: Installed["start"] = (args, more = {}) =>
    start(join(prefix, "bin/cardlake"), args, { cwd, env: { ...env, ...more } })
  return {
    all,
    dist,
    folder: join(prefix, "lib/node_modules/cardlake"),
    home,
    cwd,
    contacts,
    start: startHere,
    upgrade: buildAndInstall,
    serve: (args) => listening(startHere([...args, "--json"])),
    onNode: (args, where = {}) => start(onNode, args, { cwd: where.cwd ?? cwd, env: { ...env, ...where.env } })
  }
}
