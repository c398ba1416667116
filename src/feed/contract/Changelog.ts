import { Schema } from "effect"
import { absent, CatalogId, Count, Instant } from "./Catalogue.ts"
import type { Dialect } from "./dialect/dialects.ts"
import { DeploymentId } from "./Ids.ts"

const Counts = Schema.Struct({ added: Count, modified: Count, removed: Count }).annotate({ title: "ChangeCounts" })

/** Items that a deployment changed: the slug, and the id of those that exist. Spec: `includeChanges`. */
const items = (idWord: string) => {
  const changed = Schema.Array(
    Schema.Struct({ slug: Schema.String, [idWord]: absent(CatalogId) }).annotate({
      title: "ChangedItem",
      description: "Its id is absent if it no longer exists."
    })
  )
  return Schema.Struct({ added: changed, modified: changed, removed: changed }).annotate({ title: "ChangedItems" })
}

/** One deployment. `changes` only with `includeChanges=true`. Spec: GET /v1/feeds/{gameId}/changelog. */
export const changelogEntry = ({ changedIds }: Dialect) =>
  Schema.Struct({
    id: DeploymentId,
    deployedAt: Instant,
    summary: Schema.Struct({ products: Counts, expansions: Counts }),
    changes: absent(Schema.Struct({ products: items(changedIds.products), expansions: items(changedIds.expansions) }))
  }).annotate({
    title: "ChangelogEntry",
    description: "A deployment of a game's feed; `changes` only with `includeChanges=true`."
  })
