import { Effect, Stream } from "effect"
import { Marketplace } from "./Marketplace.ts"
import { offsetPages } from "./offsetPages.ts"

/** A game's products by name, page by page in the order of offsets. Spec: POST /v1/products/search. */
export const productPages = (gameId: string) =>
  Stream.unwrap(Effect.map(Marketplace, (marketplace) => offsetPages((offset) => marketplace.products(gameId, offset))))
