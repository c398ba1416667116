import { spawnSync } from "node:child_process"
import { build } from "esbuild"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** Every declaration that one leads to. */
const reached = (file: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(file)) return found
  found.add(file)
  for (const [, to = ""] of readFileSync(file, "utf8").matchAll(/["'](\.[^"'\n]*)\.js["']/g)) {
    reached(`${join(dirname(file), to)}.d.ts`, found)
  }
  return found
}

/** The declarations of `src/market/sdk`, as far as `client.ts` leads to them. */
const declare = (root: string, folder: string): void => {
  const flags = "--ignoreConfig --declaration --emitDeclarationOnly --allowImportingTsExtensions --strict --types node"
  const files = [join(root, "src/market/sdk/client.ts"), "--rootDir", join(root, "src/market/sdk"), "--outDir", folder]
  const args = [...flags.split(" "), "--target", "es2024", "--module", "nodenext", ...files]
  const { status, stdout } = spawnSync(join(root, "node_modules/.bin/tsc"), args, { cwd: root, encoding: "utf8" })
  if (status !== 0) throw new Error(`tsc declares no client: ${stdout}`)
  const declared = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".d.ts"))
    .map((name) => join(folder, name))
  for (const file of declared) {
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(/(["']\.[^"'\n]*)\.ts(["'])/g, "$1.js$2"))
  }
  const kept = reached(join(folder, "client.d.ts"))
  for (const file of declared) if (!kept.has(file)) rmSync(file)
  const foreign = [...kept].filter((file) => !existsSync(file) || /from ["'][^."']/.test(readFileSync(file, "utf8")))
  if (foreign.length > 0) throw new Error(`The client declares what others have: ${foreign.join(", ")}`)
}

/** Makes `cardlake/client` in `client` of a folder: one module that imports nothing, and its declarations. */
export const buildClient = async (root: string, folder: string): Promise<void> => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ["src/market/sdk/client.ts"],
    outfile: join(folder, "client/client.js"),
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    metafile: true,
    logLevel: "warning"
  })
  const foreign = Object.keys(metafile.inputs).filter((path) => !path.startsWith("src/market/sdk/"))
  if (foreign.length > 0) throw new Error(`The client contains what others have: ${foreign.join(", ")}`)
  declare(root, join(folder, "client"))
}
