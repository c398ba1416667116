import { route } from "../contract/operationRows.ts"
import { Schema, Effect } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { controlHandlers } from "../answers/controlHandlers.ts"
import { Count, GameId } from "../../feed/contract/Catalogue.ts"
import { Feeds, FeedSettings } from "../feeds/Feeds.ts"

/** Settings of the feed files: lag, link lifetime, missing files and orphaned prices. */
export const feedRoutes = HttpApiGroup.make("controlFeeds").add(
  route("GET", "feedSettings", "/sandbox/feeds", "How the feed files behave", { success: FeedSettings }),
  route(
    "POST",
    "changeFeeds",
    "/sandbox/feeds",
    "Change how far feed files lag, how long a link works, and which games have none",
    {
      payload: Schema.Struct({
        lagSeconds: Schema.optionalKey(Count),
        linkSeconds: Schema.optionalKey(Count),
        missing: Schema.optionalKey(Schema.Array(GameId)),
        orphans: Schema.optionalKey(Count)
      }),
      success: FeedSettings
    }
  )
)

export const feedControl = controlHandlers(feedRoutes, (handlers) =>
  handlers
    .handle("feedSettings", () => Effect.map(Feeds, ({ settings }) => settings))
    .handle("changeFeeds", ({ payload }) =>
      Effect.map(Feeds, (feeds) => {
        feeds.settings = { ...feeds.settings, ...payload }
        return feeds.settings
      })
    )
)
