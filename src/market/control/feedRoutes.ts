import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Count, GameId } from "../../contract/Catalogue.ts"

const Settings = Schema.Struct({
  lagSeconds: Count,
  linkSeconds: Count,
  missing: Schema.Array(GameId),
  orphans: Count
}).annotate({
  title: "FeedSettings"
})

/** How the feed files behave: how long they stay behind a deployment, how long a link works, which games have none, stray prices. */
export const feedRoutes = HttpApiGroup.make("controlFeeds").add(
  HttpApiEndpoint.get("feedSettings", "/sandbox/feeds", { success: Settings }).annotate(
    OpenApi.Summary,
    "How the feed files behave"
  ),
  HttpApiEndpoint.post("changeFeeds", "/sandbox/feeds", {
    payload: Schema.Struct({
      lagSeconds: Schema.optionalKey(Count),
      linkSeconds: Schema.optionalKey(Count),
      missing: Schema.optionalKey(Schema.Array(GameId)),
      orphans: Schema.optionalKey(Count)
    }),
    success: Settings
  }).annotate(OpenApi.Summary, "Change how far feed files lag, how long a link works, and which games have none")
)
