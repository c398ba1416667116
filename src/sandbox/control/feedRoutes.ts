import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Count, GameId } from "../../contract/Catalogue.ts"

const Settings = Schema.Struct({ lagSeconds: Count, linkSeconds: Count, missing: Schema.Array(GameId) })

/** How the feed files behave: how long they stay behind a deployment, how long a link works, which games have none. */
export const feedRoutes = HttpApiGroup.make("controlFeeds").add(
  HttpApiEndpoint.get("feedSettings", "/sandbox/feeds", { success: Settings }),
  HttpApiEndpoint.post("changeFeeds", "/sandbox/feeds", {
    payload: Schema.Struct({
      lagSeconds: Schema.optionalKey(Count),
      linkSeconds: Schema.optionalKey(Count),
      missing: Schema.optionalKey(Schema.Array(GameId))
    }),
    success: Settings
  })
)
