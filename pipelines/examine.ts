import { Context, type Duration, Effect, Layer, Result } from "effect"
import { Marketplace } from "../src/client/Marketplace.ts"
import { claimHome } from "../src/lake/claimHome.ts"
import { openLake } from "../src/lake/openLake.ts"
import { feedAhead, lakeAge } from "./examineAge.ts"
import { gamesListed, gamesOffered } from "./examineGames.ts"
import { homeWhole } from "./homeWhole.ts"
import { lakeServices, marketplaceServices } from "./services.ts"
import { settingsDoubts } from "./settingsDoubts.ts"

/** One thing looked at. `says` ends with the next step when it is not `ok`, and when it is a `doubt`. */
export interface Finding {
  readonly name: string
  readonly ok: boolean
  readonly says: string
}

const finding = <E extends { readonly message: string }, R>(name: string, look: Effect.Effect<string, E, R>) =>
  Effect.map(Effect.result(look), (result): Finding =>
    Result.isSuccess(result)
      ? { name, ok: true, says: result.success }
      : { name, ok: false, says: result.failure.message }
  )

/** Looks at settings and marketplace, home and lake, one after the other; a fault in one does not hide the next. */
export const examine = Effect.fnUntraced(function* (flags: Record<string, string>, maxAge: Duration.Duration) {
  const feed = yield* Effect.result(Layer.build(marketplaceServices(flags)))
  const home = yield* Effect.result(Layer.build(lakeServices(flags)))
  return [
    yield* finding(
      "settings",
      Effect.map(Effect.fromResult(feed), (services) => `The marketplace is ${Context.get(services, Marketplace).url}`)
    ),
    ...(yield* settingsDoubts(flags)).map((says): Finding => ({ name: "doubt", ok: true, says })),
    ...(Result.isFailure(feed)
      ? []
      : [yield* finding("marketplace", Effect.provideContext(gamesOffered, feed.success))]),
    ...(Result.isFailure(home)
      ? [yield* finding("home", Effect.fail(home.failure))]
      : [
          yield* finding(
            "home",
            Effect.map(Effect.provideContext(claimHome, home.success), (root) => `${root} can be written to`)
          ),
          yield* finding("lake", Effect.provideContext(lakeAnswers, home.success)),
          yield* finding("files", Effect.provideContext(homeWhole, home.success)),
          yield* finding("age", Effect.provideContext(lakeAge(maxAge), home.success)),
          ...(Result.isFailure(feed)
            ? []
            : [
                yield* finding("games", Effect.provideContext(gamesListed, Context.merge(home.success, feed.success))),
                yield* finding(
                  "feed",
                  Effect.provideContext(feedAhead(maxAge), Context.merge(home.success, feed.success))
                )
              ])
        ])
  ]
}, Effect.scoped)

const lakeAnswers = Effect.gen(function* () {
  const session = yield* openLake
  const [row] = yield* session.rows(
    "Ask the lake",
    "select count(*) as games, sum(products)::bigint as products, max(extracted_at)::varchar as at from snapshots where is_current"
  )
  return `${String(row?.["games"])} games with ${String(row?.["products"])} products, newest reading ${String(row?.["at"])}`
}).pipe(
  Effect.catchTag("NoLake", () =>
    Effect.succeed("No night has been published yet; make the first with: cardlake nightly")
  ),
  Effect.scoped
)
