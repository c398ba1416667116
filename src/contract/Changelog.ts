import { Schema } from "effect"
import { absent, CatalogId, Count, Instant } from "./Catalogue.ts"
import { DeploymentId } from "./Ids.ts"

/**
 * What a deployment says it touched: always the slug, and the id
 * if the item still exists. Spec: changelog, `includeChanges`.
 */
export const ChangedItem = Schema.Struct({ slug: Schema.String, id: absent(CatalogId) })

const Counts = Schema.Struct({ added: Count, modified: Count, removed: Count })

const Items = Schema.Struct({
  added: Schema.Array(ChangedItem),
  modified: Schema.Array(ChangedItem),
  removed: Schema.Array(ChangedItem)
})

/**
 * One deployment of a game's feed. `changes` only with `includeChanges=true`. Spec: GET /v1/feeds/{gameId}/changelog.
 */
export const ChangelogEntry = Schema.Struct({
  id: DeploymentId,
  deployedAt: Instant,
  summary: Schema.Struct({ products: Counts, expansions: Counts }),
  changes: absent(Schema.Struct({ products: Items, expansions: Items }))
})
export type ChangelogEntry = typeof ChangelogEntry.Type
