import { Schema } from "effect"
import { absent, Count, GameId, ReleaseDate, CatalogId, JsonObject } from "./Catalogue.ts"

/** A trading-card game of the marketplace. Beyond the spec: section 5. */
export const Game = Schema.Struct({
  id: GameId,
  name: Schema.String,
  releaseDate: absent(ReleaseDate),
  cardCount: absent(Count),
  sealedProductCount: absent(Count),
  logoUrl: absent(Schema.String)
}).annotate({ title: "Game", description: "A trading-card game." })

/** An expansion (never "set") of a game. Codes and slugs are not keys. Beyond the spec: section 5. */
export const Expansion = Schema.Struct({
  id: CatalogId,
  gameId: absent(GameId),
  slug: absent(Schema.String),
  name: Schema.String,
  code: Schema.NullOr(Schema.String),
  languages: absent(Schema.Array(Schema.String)),
  releaseDate: absent(ReleaseDate),
  cardCount: absent(Count),
  sealedProductCount: absent(Count),
  logoUrl: absent(Schema.String),
  symbolUrl: absent(Schema.String),
  attributes: absent(JsonObject)
}).annotate({ title: "Expansion", description: "An expansion of a game. Codes and slugs are no keys: use `id`." })
