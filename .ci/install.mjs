// Runs before the npm scripts, under whatever Node npm came with (20 and up): installs when node_modules is missing,
// half-finished or not what package-lock.json says, writes the types of cardlake/client when they are missing or older
// than the contract, and does nothing otherwise. Speaks on standard error only, so that
// `npm run -s cardlake -- ... --json` stays pure.
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs"
import { delimiter, dirname, join, sep } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const packages = (file) => JSON.parse(readFileSync(join(root, file), "utf8")).packages

/** npm writes node_modules/.package-lock.json last, so an interrupted install has none. */
function isInstalled() {
  let installed
  try {
    installed = packages("node_modules/.package-lock.json")
  } catch {
    return false
  }
  const wanted = packages("package-lock.json")
  // An optional package may be absent: it is another platform's binary.
  const complete = Object.keys(wanted).every((path) => path === "" || wanted[path].optional || path in installed)
  return complete && hasNode() && Object.keys(installed).every((path) => isSame(installed[path], wanted[path], path))
}

function isSame(installed, wanted, path) {
  return (
    installed.version === wanted?.version &&
    installed.integrity === wanted?.integrity &&
    existsSync(join(root, path, "package.json"))
  )
}

/**
 * The dev dependency `node` fetches its binary in an install script;
 * without scripts the folder is there and the binary is not.
 */
function hasNode() {
  return ["node", "node.exe"].some((name) => existsSync(join(root, "node_modules/node/bin", name)))
}

/** npm ci deletes node_modules, so it must run on the machine's own Node, not on the one in node_modules/.bin. */
function outsideEnvironment() {
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === "PATH") ?? "PATH"
  const folders = (process.env[name] ?? "").split(delimiter)
  const bin = `${sep}node_modules${sep}.bin`
  return {
    ...process.env,
    [name]: folders.filter((folder) => !folder.startsWith(root) || !folder.endsWith(bin)).join(delimiter)
  }
}

function install() {
  console.error("cardlake: installing the dependencies (npm ci), once, half a minute or so ...")
  // loglevel: packages that want Node 22 warn on Node 20, though they only ever run on the pinned Node 24.
  // include: NODE_ENV=production would leave out the pinned Node.
  const args = ["ci", "--include=dev", "--loglevel=error", "--no-audit", "--no-fund"]
  const options = { cwd: root, env: outsideEnvironment(), stdio: ["ignore", 2, 2] }
  const { npm_execpath: npm, npm_node_execpath: node } = process.env
  const { status } =
    npm && node ? spawnSync(node, [npm, ...args], options) : spawnSync("npm", args, { ...options, shell: true })
  if (status !== 0) {
    console.error("cardlake: npm ci failed, the reason is above. Once it is put right, run the same command again.")
    process.exit(1)
  }
  if (!hasNode()) {
    console.error(
      "cardlake: npm ran no install scripts, so the pinned Node 24 is missing. Run: npm rebuild node --ignore-scripts=false"
    )
    process.exit(1)
  }
}

/** True if src/market/sdk/wire.ts is missing, or older than a file that it is made from. */
function isWireStale() {
  const wire = join(root, "src/market/sdk/wire.ts")
  if (!existsSync(wire)) return true
  const { mtimeMs } = statSync(wire)
  return ["src/feed/contract", "src/market", ".ci/wire"].some((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).some(
      (name) => !name.startsWith("sdk") && statSync(join(root, folder, name)).mtimeMs > mtimeMs
    )
  )
}

function writeWire() {
  const node = ["node", "node.exe"].map((name) => join(root, "node_modules/node/bin", name)).find(existsSync)
  const { status } = spawnSync(node, [join(root, ".ci/wire/write.ts")], { stdio: ["ignore", 2, 2] })
  if (status !== 0) process.exit(1)
}

if (!isInstalled()) install()
if (isWireStale()) writeWire()
