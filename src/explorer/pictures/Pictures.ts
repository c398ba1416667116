import { join } from "node:path"
import { Clock, Config, Context, Effect, Layer, Semaphore, Stream } from "effect"
import { linksBeside } from "../../client/links/linksBeside.ts"
import { Home } from "../../home/Home.ts"
import { imageType } from "./imageType.ts"
import { pictureCache } from "./pictureCache.ts"

/** A picture, and what it is. */
export interface Picture {
  readonly type: string
  readonly bytes: Uint8Array
}

/** The picture of a card is a tenth of it. */
const largestBytes = 5 * 1024 * 1024
const allAtMost = "10 seconds"
/** How long an address that gave no picture is left alone. */
const restMillis = 3600 * 1000
const atOnce = 4

const whole = (parts: ReadonlyArray<Uint8Array>): Uint8Array => Buffer.concat(parts)

/** Where no marketplace is set, no link is its own. */
const marketplace = Effect.orElseSucceed(Config.URL("CARDLAKE_URL"), () => new URL("https://nowhere.invalid"))

/**
 * Pictures of cards, fetched by this server and kept below the home, so that the reader's browser asks nobody else. Links
 * are followed as feed links are: by a client without a key or cookies, to public addresses, by https alone.
 */
export class Pictures extends Context.Service<
  Pictures,
  {
    /** Null = there is none: the link is not followed, or it gave none. */
    readonly at: (link: string) => Effect.Effect<Picture | null>
  }
>()("cardlake/explorer/Pictures") {
  static readonly layer = Layer.effect(
    Pictures,
    Effect.gen(function* () {
      const { own } = yield* Home
      const follow = yield* linksBeside(yield* marketplace, largestBytes)
      const cache = pictureCache(join(own, "pictures"))
      const turns = yield* Semaphore.make(atOnce)
      const gaveNone = new Map<string, number>()
      const underway = new Map<string, Effect.Effect<Picture | null>>()

      const fetched = Effect.fnUntraced(function* (link: string) {
        let size = 0
        const parts = yield* follow(link).pipe(
          Stream.takeWhile((part) => (size += part.length) <= largestBytes),
          Stream.runCollect,
          Effect.timeout(allAtMost),
          Effect.option
        )
        if (parts._tag === "None" || size > largestBytes) return null
        const bytes = whole([...parts.value])
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
        const now = yield* Clock.currentTimeMillis
        if (now - (gaveNone.get(link) ?? -restMillis) < restMillis) return null
        const picture = yield* turns.withPermit(fetched(link))
        if (picture === null) gaveNone.set(link, now)
        return picture
      })

      return {
        at: (link) =>
          Effect.gen(function* () {
            const other = underway.get(link)
            if (other !== undefined) return yield* other
            const asked = yield* Effect.cached(found(link))
            underway.set(link, asked)
            return yield* Effect.ensuring(
              asked,
              Effect.sync(() => underway.delete(link))
            )
          })
      }
    })
  )
}
