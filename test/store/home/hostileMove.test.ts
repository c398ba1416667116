import { afterAll, assert, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, globSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { cardlake } from "../../pipelines/cli.ts"
import { address, tinyBucket } from "./tinyBucket.ts"

const secret = "a key of somebody else"
const tiny = await tinyBucket()
afterAll(tiny.stop)
assert.strictEqual((await tiny.inFolder("nightly")).code, 0)
writeFileSync(join(tiny.work, "secret"), secret)

/** Puts something else in place of a file or folder of the home. */
const instead = (pattern: string, put: (path: string) => void) => (root: string) => {
  const [path = ""] = globSync(pattern, { cwd: root })
  rmSync(join(root, path), { recursive: true })
  put(join(root, path))
}
const link = (path: string) => symlinkSync(join(tiny.work, "secret"), path)
const pipe = (path: string) => void execFileSync("mkfifo", [path])
const file = (path: string) => writeFileSync(path, secret)

const homes: Readonly<Record<string, (root: string) => void>> = {
  "that is a file": instead("", file),
  "whose current.json is a pipe": instead("current.json", pipe),
  "whose marker is a pipe": instead("cardlake.json", pipe),
  "with a link out of it for a table": instead("snapshots/*/*/products.parquet", link),
  "with a pipe for a table": instead("snapshots/*/*/products.parquet", pipe),
  "with a link out of it for a manifest": instead("snapshots/*/*/manifest.json", link),
  "with a link out of it for a snapshot": instead("snapshots/*/*", (path) => symlinkSync(tiny.work, path)),
  "with a file for its snapshots": instead("snapshots", file)
}

for (const [what, spoil] of Object.entries(homes))
  it(`a home ${what} is not moved into a bucket, and nothing that lies outside of it is`, async () => {
    const from = join(tiny.work, "spoiled")
    rmSync(from, { recursive: true, force: true })
    cpSync(join(tiny.work, "folder"), from, { recursive: true })
    spoil(from)
    tiny.store.objects.clear()
    const { code, stderr } = await cardlake(["move", "--from", from, "--to", address], { env: tiny.env(address) })
    assert.strictEqual(code, 1, stderr)
    assert.match(stderr, /^cardlake: .+/m)
    assert.notMatch(stderr, /\n\s+at .*:\d+/)
    assert.isTrue([...tiny.store.objects.values()].every(({ body }) => !body.includes(secret)))
    assert.isTrue(existsSync(from))
  })
