import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { delimiter, join } from "node:path"
import { main, node, remove, root, start, temporaryFolder } from "./cli.ts"

/** A Node on this machine that is too old; null if there is none. */
const oldNode =
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "node"))
    .find((file) => existsSync(file) && /^v(1\d|2[0-3])\./.test(String(spawnSync(file, ["--version"]).stdout))) ?? null

/** A checkout in which nothing was installed. */
const bareCheckout = () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, "pipelines"))
  for (const file of ["package.json", "pipelines/start.mjs", "pipelines/start.ts", "pipelines/main.ts"])
    copyFileSync(join(root, file), join(folder, file))
  return folder
}

describe.concurrent("the start file says in one sentence", () => {
  it.skipIf(oldNode === null)("that Node is too old, and where a newer one comes from", async () => {
    const { code, stderr, stdout } = await start(oldNode ?? "", [join(root, "pipelines/start.mjs"), "--help"]).ended
    assert.deepStrictEqual([code, stdout], [1, ""])
    assert.match(stderr, /^cardlake: It needs Node 24 or newer, and this is Node [\d.]+\. .*npm ci --include=dev.*\n$/)
  })

  it("that nothing is installed, and how to install it", async () => {
    const folder = bareCheckout()
    const { code, stderr, stdout } = await start(node, [join(folder, "pipelines/start.mjs"), "--help"]).ended
    remove(folder)
    assert.deepStrictEqual([code, stdout], [1, ""])
    assert.match(stderr, /^cardlake: Its dependencies are not installed\. Run npm ci in .*, then this again\n$/)
  })
})

it("compiled code is kept in a folder that is ours alone, and nowhere where others may write", async () => {
  const checkout = bareCheckout()
  const shared = join(checkout, "tmp")
  const cache = join(checkout, "node_modules/.cardlake")
  for (const folder of ["tmp", "node_modules"]) mkdirSync(join(checkout, folder))
  for (const name of readdirSync(join(root, "node_modules")).filter((name) => !name.startsWith(".")))
    symlinkSync(join(root, "node_modules", name), join(checkout, "node_modules", name))
  for (const folder of ["pipelines", "src"]) cpSync(join(root, folder), join(checkout, folder), { recursive: true })
  const help = async () => {
    const ended = await start(node, [join(checkout, "pipelines/start.mjs"), "--version"], { env: { TMPDIR: shared } })
      .ended
    assert.match(ended.stdout, /^cardlake v/, ended.stderr)
  }
  mkdirSync(cache)
  chmodSync(cache, 0o777)
  await help()
  assert.deepStrictEqual(readdirSync(cache), [])
  remove(cache)
  await help()
  assert.isNotEmpty(readdirSync(cache))
  assert.deepStrictEqual(readdirSync(shared), [])
  remove(checkout)
})

it("a program that npm started ends with the shell between npm and itself", async () => {
  const program = [node, main, "sandbox", "--json"].map((word) => `'${word}'`).join(" ")
  // With a second command the shell stays the parent, as npm's does.
  const shell = start("sh", ["-c", `${program}; true`], { env: { npm_command: "exec" } })
  await shell.shows("}")
  assert.isTrue(shell.process.kill("SIGKILL"))
  // Its output ends when the last process that writes to it ends.
  const { stdout } = await shell.ended
  const { url } = JSON.parse(stdout) as { readonly url: string }
  assert.strictEqual(await fetch(url).catch(() => "nobody"), "nobody")
})
