import { join } from "node:path"
import { Cache, Config, Context, Effect, Layer, Semaphore, Stream } from "effect"
import { linksBeside } from "../../../feed/client/FeedStorage.ts"
import { Home } from "../../../store/home/Home.ts"
import { createHash, randomUUID } from "node:crypto"
import { diskHere } from "../../../feed/disk/Disk.ts"
import { whereNothingIs } from "../../../store/home/disk.ts"
import { makeFolders } from "../../../feed/disk/makeFolders.ts"
import { ownText } from "../../../feed/disk/ownText.ts"
import { HttpServerResponse } from "effect/http"
import type { LakeView } from "../LakeReader.ts"
import { decodedSegment } from "../PageRequest.ts"

/** The maximum size of the cache on disk. The least recently shown pictures are removed first. */
export const maxCacheBytes = 512 * 1024 * 1024

/** File names of the cache; other files in its folder are never removed. */
const ours = /^[0-9a-f]{64}(?:\.[0-9a-f-]{36}\.part)?$/

const fileName = (link: string): string => createHash("sha256").update(link).digest("hex")

/** A cache of pictures in a folder, keyed by the hash of their address. Several explorers may share it. */
export const pictureCache = (folder: string, bound = maxCacheBytes) => {
  const disk = diskHere()
  let written = bound
  const sweep = async (): Promise<void> => {
    const there = (await disk.list(folder)).flatMap(({ name }) => {
      const found = ours.test(name) ? disk.look(join(folder, name)) : null
      return found === null ? [] : [{ name, size: found.sizeBytes, at: Number(found.modifiedNanos) }]
    })
    let bytes = there.reduce((sum, { size }) => sum + size, 0)
    for (const { name, size } of there.toSorted((a, b) => a.at - b.at)) {
      if (bytes <= bound) break
      // oxlint-disable-next-line no-await-in-loop -- until it fits
      await disk.removeFile(join(folder, name))
      bytes -= size
    }
  }
  return {
    /** Returns a cached picture; null = not cached. */
    read: async (link: string): Promise<Uint8Array | null> => {
      const file = join(folder, fileName(link))
      const bytes = await disk.read(file).catch(whereNothingIs)
      if (bytes !== null) await disk.touch(file, new Date()).catch(whereNothingIs)
      return bytes
    },
    keep: async (link: string, bytes: Uint8Array): Promise<void> => {
      await makeFolders(disk, folder, 0o700)
      const part = join(folder, `${fileName(link)}.${randomUUID()}.part`)
      await disk.write(part, bytes)
      await disk.rename(part, join(folder, fileName(link)))
      written += bytes.length
      // The first write also checks what earlier explorers have cached.
      if (written < bound / 16) return
      written = 0
      await sweep()
    }
  }
}

/** Detects the image type from the first bytes; null = not allowed. SVG is not, as it may run scripts. */
const imageType = (bytes: Uint8Array): string | null => {
  const begins = (at: number, ...signs: ReadonlyArray<number>) =>
    signs.every((sign, place) => bytes[at + place] === sign)
  if (begins(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "image/png"
  if (begins(0, 0xff, 0xd8, 0xff)) return "image/jpeg"
  return begins(0, 0x52, 0x49, 0x46, 0x46) && begins(8, 0x57, 0x45, 0x42, 0x50) ? "image/webp" : null
}

interface Picture {
  readonly type: string
  readonly bytes: Uint8Array
}

/** The maximum size of a picture. That of a card is a tenth of it. */
const largestBytes = 5 * 1024 * 1024
const allAtMost = "10 seconds"
const maxConcurrent = 4

/** Without a marketplace URL, no link counts as one of the marketplace. */
const marketplace = Effect.orElseSucceed(Config.URL("CARDLAKE_URL"), () => new URL("https://nowhere.invalid"))

/**
 * Pictures of cards, downloaded by this server and cached below the home, so that a browser contacts only this server.
 * Links are followed as feed links are: without a key or cookies, only to public addresses, only by https.
 */
export class Pictures extends Context.Service<
  Pictures,
  {
    /** Returns a picture; null = the link is not followed, or it has no picture. */
    readonly at: (link: string) => Effect.Effect<Picture | null>
  }
>()("cardlake/explorer/Pictures") {
  static readonly layer = Layer.effect(
    Pictures,
    Effect.gen(function* () {
      const { own } = yield* Home
      const follow = yield* linksBeside(yield* marketplace, largestBytes)
      const cache = pictureCache(join(own, "pictures"))
      const turns = yield* Semaphore.make(maxConcurrent)
      const fetched = Effect.fnUntraced(function* (link: string) {
        let size = 0
        const parts = yield* follow(link).pipe(
          Stream.takeWhile((part) => (size += part.length) <= largestBytes),
          Stream.runCollect,
          Effect.timeout(allAtMost),
          Effect.option
        )
        if (parts._tag === "None" || size > largestBytes) return null
        const bytes = Buffer.concat([...parts.value])
        const type = imageType(bytes)
        if (type === null) return null
        yield* Effect.ignore(Effect.tryPromise(() => cache.keep(link, bytes)))
        return { type, bytes }
      })

      const found = Effect.fnUntraced(function* (link: string) {
        const kept = yield* Effect.orElseSucceed(
          Effect.tryPromise(() => cache.read(link)),
          () => null
        )
        const type = kept === null ? null : imageType(kept)
        if (kept !== null && type !== null) return { type, bytes: kept }
        return yield* turns.withPermit(fetched(link))
      })

      // The disk has the pictures; an address without one is requested again after an hour.
      const pictures = yield* Cache.make({ lookup: found, capacity: 10_000, timeToLive: "1 hour" })
      return {
        at: (link) =>
          Effect.tap(Cache.get(pictures, link), (one) =>
            one === null ? Effect.void : Cache.invalidate(pictures, link)
          )
      }
    })
  )
}

const address = /^\/pictures\/games\/([^/]+)\/products\/(\d{1,16})$/

const none = ownText(new URL("../assets/nopicture.svg", import.meta.url))

/** The image for a card without a picture. */
const placeholder = HttpServerResponse.text(none, {
  status: 404,
  contentType: "image/svg+xml; charset=utf-8",
  headers: { "cache-control": "max-age=300" }
})

/** Returns the picture of a product from its feed's link; null = the address does not name a picture. */
export const pictureAnswer = (path: string, lake: LakeView, pictures: Pictures["Service"]) => {
  const [, game, id] = address.exec(path) ?? []
  if (game === undefined || id === undefined) return null
  const gameId = decodedSegment(game)
  if (gameId === "") return null
  return Effect.gen(function* () {
    const [row] = yield* lake.rows(
      "Find the picture",
      "select image_url from products where game_id = $game and product_id = $id::bigint",
      { game: gameId, id }
    )
    const link = row?.["image_url"] ?? null
    const picture = link === null ? null : yield* pictures.at(String(link))
    return picture === null
      ? placeholder
      : HttpServerResponse.uint8Array(picture.bytes, {
          contentType: picture.type,
          headers: { "cache-control": "private, max-age=86400" }
        })
  })
}
