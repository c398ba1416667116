import { afterAll, assert, it } from "@effect/vitest"
import { hash } from "node:crypto"
import { mkdirSync, readdirSync, rmSync, cpSync, existsSync, globSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gameId } from "../lake/invented.ts"
import { assertFault, cardlake } from "../../pipelines/cli.ts"
import { hostileCases, withSum } from "../../safety/hostileTexts.ts"
import { address, type TinyBucket, tinyBucket } from "./tinyBucket.ts"
import { execFileSync } from "node:child_process"

type Objects = TinyBucket["store"]["objects"]

const textOf = (objects: Objects, key: string): string => objects.get(key)?.body.toString("utf8") ?? ""

/**
 * Puts another text in place of a document, as whoever may write to the bucket can: it is called by its own sum, and the
 * documents that name it follow.
 */
const forge = (objects: Objects, key: string, text: string): void => {
  const before = hash("sha256", textOf(objects, key))
  const after = hash("sha256", text)
  objects.delete(key)
  objects.set(key.replace(before, after), { body: Buffer.from(text), tag: `"${after.slice(0, 32)}"`, at: new Date() })
  for (const other of [...objects.keys()].filter((one) => one.endsWith(".json"))) {
    const naming = textOf(objects, other)
    if (!naming.includes(before)) continue
    const sized = new RegExp(`"${before}",\\d+`, "g")
    const next = naming.replaceAll(sized, `"${after}",${Buffer.byteLength(text)}`).replaceAll(before, after)
    forge(objects, other, next)
  }
}

/** A spoiled document as its writer would have written it. */
const textLike = (objects: Objects, key: string, document: unknown): string =>
  textOf(objects, key).includes('\n  "') ? withSum(document as object) : `${JSON.stringify(document)}\n`

/** Everything below a folder but what belongs there, to see that nothing else was written. */
const outsideOf = (folder: string, inside: ReadonlyArray<string>): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path))
    .filter((path) => !inside.some((one) => path === one || path.startsWith(`${one}/`)))
    .toSorted()

const tiny = await tinyBucket()
afterAll(tiny.stop)
const tmp = join(tiny.work, "deep", "deeper", "tmp")
mkdirSync(tmp, { recursive: true })
for (const _ of [1, 2]) {
  assert.strictEqual((await tiny.run("nightly")).code, 0)
  await tiny.sandbox.deploy(gameId)
}
const saved = new Map(tiny.store.objects)

const restored = (): Objects => {
  tiny.store.objects.clear()
  for (const [key, stored] of saved) tiny.store.objects.set(key, stored)
  return tiny.store.objects
}

/** Runs a command, which writes nothing outside of its copy, and says what is wrong in sentences. */
const tryIt = async (command: ReadonlyArray<string>, said: string) => {
  const copy = join(tmp, "copy")
  const inside = [copy, `${copy}.moving`]
  const before = outsideOf(tiny.work, inside)
  const args = command.map((word) => (word === "COPY" ? copy : word))
  const ended = await cardlake(args, { env: { ...tiny.env(address), TMPDIR: tmp }, hasShortWaits: true })
  assert.deepStrictEqual(outsideOf(tiny.work, inside), before, said)
  assert.notMatch(ended.stderr, /\n\s+at .*:\d+/, said)
  for (const one of inside) rmSync(one, { recursive: true, force: true })
  return ended
}

/** The documents of a bucket by their kinds, one of each, and a command that reads it. */
const kinds: ReadonlyArray<readonly [kind: string, key: RegExp, command: ReadonlyArray<string>]> = [
  ["a commit of the lake", /\/lake\/commits\//, ["pull", "--to", "COPY"]],
  ["a commit of a game", /\/games\/.*\/commits\//, ["pull", "--to", "COPY"]],
  ["a month of a game", /\.month\.json$/, ["pull", "--to", "COPY"]],
  ["a month of runs", /\/lake\/.*\.runs\.json$/, ["pull", "--to", "COPY"]],
  ["a list of files", /\.list\.json$/, ["move", "--from", address, "--to", "COPY"]],
  ["a commit of a game", /\/games\/.*\/commits\//, ["nightly"]],
  ["a commit of the lake", /\/lake\/commits\//, ["doctor"]],
  ["a month of runs", /\/lake\/.*\.runs\.json$/, ["runs"]],
  ["a commit of a game", /\/games\/.*\/commits\//, ["snapshots"]]
]

/** What a person may have written. */
const isFree = /\/steps\/\d+\/4: /

/** In `npm test` so many of each kind; of every value one, in turn. */
const few = 3

for (const [kind, pattern, command] of kinds)
  it(`of ${kind} that somebody changed, no text leads outside, and ${command[0]} exits with 1`, async () => {
    const key = [...saved.keys()].toSorted().findLast((one) => pattern.test(one)) ?? ""
    const document: unknown = JSON.parse(saved.get(key)?.body.toString("utf8") ?? "")
    for (const { document: changed, said } of hostileCases(document, join(tiny.work, "escaped"), few)) {
      if (isFree.test(said)) continue
      const objects = restored()
      forge(objects, key, textLike(objects, key, changed))
      const { code, stderr } = await tryIt(command, said)
      assert.strictEqual(code, 1, `${said}\n${stderr}`)
    }
  })

it("of a commit of which nothing is published, pull names the game", async () => {
  const key = [...saved.keys()].toSorted().findLast((one) => /\/games\/.*\/commits\//.test(one)) ?? ""
  const state = JSON.parse(saved.get(key)?.body.toString("utf8") ?? "") as object
  const pulled = async (changed: object) => {
    const objects = restored()
    forge(objects, key, textLike(objects, key, { ...state, ...changed }))
    return tryIt(["pull", "--to", "COPY"], JSON.stringify(changed))
  }
  assert.match((await pulled({ live: null, published: [] })).stderr, /Nothing of hollowmere is published in s3:/)
  assertFault(await pulled({ live: null }), 1, /its content is not Cardlake's/)
})

const secret = "a key of somebody else"
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
