import { Schema } from "effect"
import { absent, Count, GameId, ReleaseDate } from "./Catalogue.ts"

/** A trading-card game of the marketplace. Beyond the spec: section 5. */
export const Game = Schema.Struct({
  id: GameId,
  name: Schema.String,
  releaseDate: absent(ReleaseDate),
  cardCount: absent(Count),
  sealedProductCount: absent(Count),
  logoUrl: absent(Schema.String)
}).annotate({
  title: "Game",
  description: "A trading-card game."
})
