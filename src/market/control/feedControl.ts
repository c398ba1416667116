import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Feeds } from "../feeds/Feeds.ts"
import { ControlApi } from "./ControlApi.ts"

/** Shows how the feed files behave and changes it. */
export const feedControl = HttpApiBuilder.group(ControlApi, "controlFeeds", (handlers) =>
  handlers
    .handle("feedSettings", () => Effect.map(Feeds, ({ settings }) => settings))
    .handle("changeFeeds", ({ payload }) =>
      Effect.map(Feeds, (feeds) => {
        feeds.settings = { ...feeds.settings, ...payload }
        return feeds.settings
      })
    )
)
