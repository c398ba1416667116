import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./pipelines/cli.ts"

interface Entry {
  readonly integrity?: string
  readonly optional?: boolean
  readonly os?: ReadonlyArray<string>
  readonly cpu?: ReadonlyArray<string>
}
type Packages = Readonly<Record<string, Entry>>

const packagesOf = (file: string) =>
  (JSON.parse(readFileSync(join(root, file), "utf8")) as { packages: Packages }).packages

/** Native binaries of other platforms, which the registry behind the lock file does not have. */
const otherPlatforms =
  /^node_modules\/(@duckdb\/node-bindings|@effect\/tsgo|@oxc-parser\/binding|@oxfmt\/binding|@oxlint\/binding)-[a-z0-9-]+$/

const unproven = (packages: Packages): ReadonlyArray<string> =>
  Object.entries(packages)
    .filter(([path, { cpu, integrity, optional, os }]) => {
      const isOtherPlatforms = optional === true && os !== undefined && cpu !== undefined && otherPlatforms.test(path)
      return path !== "" && !integrity?.startsWith("sha512-") && !isOtherPlatforms
    })
    .map(([path]) => path)

describe("the lock file", () => {
  const locked = packagesOf("package-lock.json")

  it("has the hash of every package but other platforms' binaries", () => {
    assert.deepStrictEqual(unproven(locked), [])
  })

  it("is refused with a new package that has none", () => {
    const binary = { optional: true, os: ["linux"], cpu: ["arm64"] }
    const added = { "node_modules/left-pad": {}, "node_modules/@stranger/binding-linux-arm64": binary }
    assert.deepStrictEqual(unproven({ ...locked, ...added }), Object.keys(added))
    assert.deepStrictEqual(unproven({ "node_modules/@oxlint/binding-linux-x64": { os: ["linux"], cpu: ["x64"] } }), [
      "node_modules/@oxlint/binding-linux-x64"
    ])
  })
})
