import { assert, it } from "@effect/vitest"
import { keyOfFile, packBytes, partOfFile } from "../../../src/store/home/bucket/bucketKeys.ts"
import { filesIn, listFiles } from "../../../src/store/home/bucket/documents.ts"
import { packFiles } from "../../../src/store/home/bucket/changes.ts"
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

it("small files share objects of at most 8 MB; large ones and those that describe a folder are alone", () => {
  const pages = Array.from({ length: 10 }, (_, at) => newFile(`pages/p-${at}.gz`, Buffer.alloc(mebibyte - 1, at)))
  const large = newFile("pages/large.gz", Buffer.alloc(mebibyte + 1))
  const described = newFile("extraction.json", Buffer.from("{}"))
  const empty = newFile("refusals.ndjson", Buffer.alloc(0))
  const { objects, stored } = packFiles(attempt, [empty, large, ...pages, described])
  assert.deepStrictEqual(
    objects.map(
      ({ key, sizeBytes }) =>
        `${key
          .split("/")
          .at(-1)
          ?.replace(/^[0-9a-f]{64}\./, "")} ${sizeBytes}`
    ),
    [
      `0.raw.pack ${8 * (mebibyte - 1)}`,
      `raw.large.gz ${mebibyte + 1}`,
      `1.raw.pack ${2 * (mebibyte - 1)}`,
      "raw.extraction.json 2"
    ]
  )
  assert.isTrue(objects.every(({ key, sizeBytes }) => !key.endsWith(".pack") || sizeBytes <= packBytes))
  const found = filesIn({ gameId: "birch", folder }, listFiles(attempt, stored.values()))
  assert.lengthOf(found, 13)
  for (const file of found) {
    const body = Buffer.concat((objects.find(({ key }) => key === keyOfFile(file))?.from ?? []) as Array<Buffer>)
    const { offset, sizeBytes } = partOfFile(file) ?? { offset: 0, sizeBytes: body.length }
    assert.strictEqual(hash("sha256", body.subarray(offset, offset + sizeBytes)), file.sha256, file.name)
  }
})
