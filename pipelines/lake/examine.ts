import { Context, type Duration, Effect, Layer, Result, Schema } from "effect"
import { Marketplace } from "../../src/client/Marketplace.ts"
import type { HoldBounds } from "../../src/diff/HoldBounds.ts"
import { amountOf } from "../../src/diff/amountOf.ts"
import { builtByAnother, builtElsewhere, elsewhereText } from "../../src/lake/publish/builtElsewhere.ts"
import { claimHome } from "../../src/home/claimHome.ts"
import type { Home } from "../../src/home/Home.ts"
import type { Lake } from "../../src/lake/duckdb/Lake.ts"
import { openLake } from "../../src/lake/publish/openLake.ts"
import { feedAhead, lakeAge } from "../../src/observe/examineAge.ts"
import { gamesKnown, gamesListed, gamesOffered } from "../../src/run/examineGames.ts"
import { homeWhole } from "../../src/run/homeWhole.ts"
import { lakeServices, marketplaceServices } from "../settings/services.ts"
import { boundsOfOthers } from "../settings/settingNames.ts"
import { settingsDoubts } from "../settings/settingsDoubts.ts"

/** One thing that was checked. `says` ends with the next step if it is not `ok`, or is a `doubt`. */
export interface Finding {
  readonly name: string
  readonly ok: boolean
  readonly says: string
}

const finding = <E extends { readonly message: string }, R>(name: string, look: Effect.Effect<string, E, R>) =>
  Effect.map(Effect.result(look), (result): Finding =>
    Result.isSuccess(result)
      ? { name, ok: true, says: result.success }
      : { name, ok: false, says: withoutDoctor(result.failure.message) }
  )

const doubt = (says: string): Finding => ({ name: "doubt", ok: true, says })

/** Checks settings and marketplace, home and lake, one after the other; a fault in one does not hide the next. */
export const examine = Effect.fnUntraced(function* (flags: Record<string, string>, maxAge: Duration.Duration) {
  const feed = yield* Effect.result(Layer.build(marketplaceServices(flags)))
  const home = yield* Effect.result(Layer.build(lakeServices(flags)))
  return [
    yield* finding(
      "settings",
      Effect.map(Effect.fromResult(feed), (services) => `The marketplace is ${Context.get(services, Marketplace).url}`)
    ),
    ...(yield* settingsDoubts(flags)).map(doubt),
    ...(Result.isFailure(feed)
      ? []
      : [yield* finding("marketplace", Effect.provideContext(gamesOffered, feed.success))]),
    ...(Result.isFailure(home)
      ? [yield* finding("home", Effect.fail(home.failure))]
      : [...(yield* homeFindings(home.success, feed, maxAge))])
  ]
}, Effect.scoped)

/** The findings about the games say why they are not known, if they are not. */
const boundDoubts = gamesKnown.pipe(
  Effect.flatMap(boundsOfOthers),
  Effect.map((doubts) => doubts.map(doubt)),
  Effect.orElseSucceed(() => [])
)

/** What is in the home is checked only if the folder is one. */
const homeFindings = Effect.fnUntraced(function* (
  home: Context.Context<Home | Lake | HoldBounds>,
  feed: Result.Result<Context.Context<Marketplace>, { readonly message: string }>,
  maxAge: Duration.Duration
) {
  const claimed = yield* finding(
    "home",
    Effect.map(Effect.provideContext(claimHome, home), (root) => `${root} is writable`)
  )
  if (!claimed.ok) return [claimed]
  return [
    claimed,
    yield* finding("lake", Effect.provideContext(lakeAnswers, home)),
    yield* finding("files", Effect.provideContext(homeWhole, home)),
    yield* finding("age", Effect.provideContext(lakeAge(maxAge), home)),
    ...(Result.isFailure(feed)
      ? []
      : [
          ...(yield* boundDoubts.pipe(Effect.provideContext(Context.merge(home, feed.success)))),
          yield* finding("games", Effect.provideContext(gamesListed, Context.merge(home, feed.success))),
          yield* finding("feed", Effect.provideContext(feedAhead(maxAge), Context.merge(home, feed.success)))
        ])
  ]
})

/** The lake's history reads files of another folder. */
class LakeMoved extends Schema.TaggedError<LakeMoved>()("LakeMoved", { built: Schema.String }) {
  override get message() {
    return elsewhereText(this.built)
  }
}

/** The lake may lack what this program needs. */
class LakeOfAnother extends Schema.TaggedError<LakeOfAnother>()("LakeOfAnother", {}) {
  override get message() {
    return "Another version of Cardlake built the lake: pages and queries may ask for what it lacks. The next night that reads a game rebuilds it; to rebuild it now: cardlake doctor --repair"
  }
}

const lakeAnswers = Effect.gen(function* () {
  const session = yield* openLake
  const built = yield* builtElsewhere(session)
  if (built !== null) return yield* new LakeMoved({ built })
  if (yield* builtByAnother(session)) return yield* new LakeOfAnother()
  const [row] = yield* session.rows(
    "Ask the lake",
    "select count(*) as games, sum(products)::bigint as products from snapshots where is_current"
  )
  return `${amountOf(Number(row?.["games"]), "game")} with ${amountOf(Number(row?.["products"]), "product")}`
}).pipe(
  Effect.catchTag("NoLake", (none) =>
    none.isGone
      ? Effect.fail(none)
      : Effect.succeed("No night has been published yet; make the first with: cardlake nightly")
  ),
  Effect.scoped
)

/** Removes the advice to run `cardlake doctor`, for those who are running it. `doctor --repair` is another command. */
export const withoutDoctor = (message: string): string =>
  message
    .replace(/See [\w ]+ with: cardlake doctor$/, "Check CARDLAKE_URL")
    .replace(/(?:[,;] then (?:check with|try|look again with)| with): cardlake doctor$/, "")
