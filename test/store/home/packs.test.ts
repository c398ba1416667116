import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { keyOfFile, partOfFile } from "../../../src/store/home/bucket/bucketKeys.ts"
import { filesIn, listFiles, StoredFiles } from "../../../src/store/home/bucket/documents.ts"
import { isWorthWhole, packFiles } from "../../../src/store/home/bucket/packs.ts"
import { hash } from "node:crypto"

const folder = "raw/birch/20260823T000000000Z-0000"
const mebibyte = 1024 * 1024
const attempt = "20260823T000000000Z-00000000"

const newFile = (name: string, body: Buffer) => ({
  gameId: "birch",
  folder,
  name,
  from: body,
  sha256: hash("sha256", body),
  sizeBytes: body.length
})

it.effect("small files share objects of at most 8 MB; large ones and those that describe a folder are alone", () =>
  Effect.gen(function* () {
    const pages = Array.from({ length: 10 }, (_, at) => newFile(`pages/p-${at}.gz`, Buffer.alloc(mebibyte, at)))
    const large = newFile("pages/large.gz", Buffer.alloc(mebibyte + 1))
    const described = newFile("extraction.json", Buffer.from("{}"))
    const empty = newFile("refusals.ndjson", Buffer.alloc(0))
    const { objects, stored } = yield* packFiles(attempt, [empty, large, ...pages, described])
    assert.deepStrictEqual(
      objects.map(({ key, sizeBytes }) => `${key.split(/[0-9a-f]{64}\./)[1]} ${sizeBytes}`),
      [`raw.large.gz ${mebibyte + 1}`, "raw.extraction.json 2", `raw.pack ${8 * mebibyte}`, `raw.pack ${2 * mebibyte}`]
    )
    const list = listFiles(attempt, stored.values())
    const found = filesIn({ gameId: "birch", folder }, list)
    assert.sameDeepMembers([...found], [...stored.values()])
    for (const file of found) {
      const object = objects.find(({ key }) => key === keyOfFile(file))
      const from = object?.from
      const body = Buffer.isBuffer(from) ? from : Buffer.concat((from as { files: Array<Buffer> }).files)
      const { offset, sizeBytes } = partOfFile(file) ?? { offset: 0, sizeBytes: body.length }
      assert.strictEqual(hash("sha256", body.subarray(offset, offset + sizeBytes)), file.sha256, file.name)
    }
  })
)

it("a list whose file is outside of its pack, or in none, is refused", () => {
  const sum = "0".repeat(64)
  const isList = (file: unknown, packs: unknown) => Schema.is(StoredFiles)({ attempt, files: { "a.gz": file }, packs })
  assert.isTrue(isList([sum, 5, 0, 3], [[sum, 8, attempt]]))
  assert.isFalse(isList([sum, 6, 0, 3], [[sum, 8, attempt]]))
  assert.isFalse(isList([sum, 5, 1, 3], [[sum, 8, attempt]]))
  assert.isFalse(isList([sum, 5, 0, -1], [[sum, 8, attempt]]))
})

it("a pack is read as a whole if it is small, or from the third file on", () => {
  const reads = (kibibytes: number) =>
    [1, 2, 3].map((requests) => isWorthWhole({ sizeBytes: kibibytes * 1024 }, requests))
  assert.deepStrictEqual(reads(16), [true, true, true])
  assert.deepStrictEqual(reads(17), [false, false, true])
  assert.deepStrictEqual(reads(8 * 1024 + 1), [false, false, false])
})
