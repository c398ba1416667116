import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../pipelines/cli.ts"
import { isFull } from "../tried.ts"

type Step = readonly [program: string, ...args: ReadonlyArray<string>]

/** Returns a folder of node_modules that steps fill once, in `npm run test:full` alone; null if one of them fails. */
const fetched = (name: string, steps: (folder: string) => ReadonlyArray<Step>): string | null => {
  const folder = join(root, "node_modules/.cache", name)
  const [marker, wanted] = [join(folder, "steps.json"), JSON.stringify(steps(folder))]
  const isThere = () => existsSync(marker) && readFileSync(marker, "utf8") === wanted
  if (isFull && !isThere()) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const env = { ...process.env, GOBIN: folder }
    const isDone = steps(folder).every(
      ([program, ...args]) => spawnSync(program, args, { cwd: folder, env }).status === 0
    )
    if (isDone) writeFileSync(marker, wanted)
  }
  if (isThere()) return folder
  if (isFull) console.warn(`What tests of ${name} need cannot be installed here, so they are skipped`)
  return null
}

/** Returns the programs of a Python with packages from PyPI. Files of tests have a name each, as they run at the same time. */
export const pythonPrograms = (name: string, ...packages: ReadonlyArray<string>): string | null => {
  const folder = fetched(name, (venv) => [
    ["python3", "-m", "venv", venv],
    [join(venv, "bin/python"), "-m", "pip", "install", "-q", ...packages]
  ])
  return folder === null ? null : join(folder, "bin")
}

/** Returns the node_modules of a package from npm with its dependencies. */
export const npmPackage = (name: string, wanted: string): string | null => {
  const folder = fetched(name, (prefix) => [["npm", "install", "-s", "--ignore-scripts", "--prefix", prefix, wanted]])
  return folder === null ? null : join(folder, "node_modules")
}

/** Returns the folder of a program of Go, with Go's own module proxy. */
export const goProgram = (name: string, module: string) => fetched(name, () => [["go", "install", module]])

/** Returns the files of a Debian package, which is not installed. */
export const debianPackage = (name: string) =>
  fetched(name, () => [["sh", "-c", `apt-get download ${name} && dpkg -x ${name}_*.deb .`]])
