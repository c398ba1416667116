import { Context, Effect, Layer, type Stream } from "effect"
import { type HostAddresses, type LinkFailed, linksBeside } from "./linksBeside.ts"
import { maxFeedBytes } from "../feedFiles.ts"
import { urlSetting } from "../Marketplace.ts"

/**
 * Where feed files are, outside of the marketplace's API. It never has the key: nothing here reads it, and its client
 * is another one than that of {@link Marketplace}. Beyond the spec: section 8.
 */
export class FeedStorage extends Context.Service<
  FeedStorage,
  {
    /** The bytes behind a link, as they come. */
    readonly bytes: (link: string) => Stream.Stream<Uint8Array, LinkFailed>
  }
>()("cardlake/client/FeedStorage") {
  static readonly layerBy = (addressesOf?: HostAddresses) =>
    Layer.effect(
      FeedStorage,
      Effect.gen(function* () {
        return { bytes: yield* linksBeside(yield* urlSetting, maxFeedBytes, addressesOf) }
      })
    )
  static readonly layer = this.layerBy()
}
