import { hash } from "node:crypto"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { withSum } from "../../safety/hostileTexts.ts"
import type { TinyBucket } from "./tinyBucket.ts"

type Objects = TinyBucket["store"]["objects"]

const textOf = (objects: Objects, key: string): string => objects.get(key)?.body.toString("utf8") ?? ""

/**
 * Puts another text in place of a document, as whoever may write to the bucket can: it is called by its own sum, and the
 * documents that name it follow.
 */
export const forge = (objects: Objects, key: string, text: string): void => {
  const [, before] = /\.([0-9a-f]{64})\.json$/.exec(key) ?? []
  const after = hash("sha256", text)
  objects.delete(key)
  const to = before === undefined ? key : key.replace(before, after)
  objects.set(to, { body: Buffer.from(text), tag: `"${after.slice(0, 32)}"`, at: new Date() })
  if (before === undefined) return
  for (const other of [...objects.keys()].filter((one) => one.endsWith(".json"))) {
    const naming = textOf(objects, other)
    if (!naming.includes(before)) continue
    const sized = new RegExp(`"${before}",\\d+`, "g")
    const next = naming.replaceAll(sized, `"${after}",${Buffer.byteLength(text)}`).replaceAll(before, after)
    forge(objects, other, next)
  }
}

/** A spoiled document as its writer would have written it. */
export const textLike = (objects: Objects, key: string, document: unknown): string =>
  textOf(objects, key).includes('\n  "') ? withSum(document as object) : `${JSON.stringify(document)}\n`

/** Everything below a folder but what belongs there, to see that nothing else was written. */
export const outsideOf = (folder: string, inside: ReadonlyArray<string>): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path))
    .filter((path) => !inside.some((one) => path === one || path.startsWith(`${one}/`)))
    .toSorted()
