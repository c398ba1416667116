import { Context, type Duration, Effect, Layer, Result } from "effect"
import { Marketplace } from "../../src/feed/client/Marketplace.ts"
import { listGames } from "../../src/feed/reading/listGames.ts"
import { gamesOffered, gameSizes, sizesInLake, type Unsearched } from "../../src/night/run/examine/gameSizes.ts"
import { examineLimits, examineVias, feedsOfGames, type GameSize } from "../../src/night/run/examine/examineVias.ts"
import { findBucket, inHome, readNeeds } from "../flags/inHome.ts"
import { settingsDoubts, settingsFaults } from "../settings/examineSettings.ts"
import { marketplaceServices } from "../settings/marketServices.ts"
import { homeServices, judgeServices } from "../settings/services.ts"
import { examineWords } from "../../src/night/run/examine/examineWords.ts"
import type { Home } from "../../src/store/home/Home.ts"
import type { Lake } from "../../src/store/lake/duckdb/Lake.ts"
import { doubt, failed, type Feed, type Finding, finding, one, type Watch } from "./Finding.ts"
import { bucketFindings, homeFindings } from "./storedFindings.ts"

/** Caches the list of games and the newest deployments, so that all checks share them. */
const cacheAnswers = Effect.fnUntraced(function* <S>(services: Context.Context<Marketplace | S>) {
  const marketplace = Context.get(services, Marketplace)
  const games = yield* Effect.cached(marketplace.games)
  const heads = new Map<string, Effect.Success<ReturnType<typeof marketplace.changelog>>>()
  const changelog: typeof marketplace.changelog = (gameId, query) =>
    Effect.suspend(() => {
      const known = query.limit === 1 ? heads.get(gameId) : undefined
      if (known !== undefined) return Effect.succeed(known)
      return Effect.tap(marketplace.changelog(gameId, query), (page) =>
        Effect.sync(() => {
          if (query.limit === 1) heads.set(gameId, page)
        })
      )
    })
  return Context.add(services, Marketplace, { ...marketplace, changelog, games })
})

/** Checks settings and marketplace, then home and lake, whatever fails. `isNew`: the home is yet to be made. */
export const examine = Effect.fnUntraced(function* (
  flags: Record<string, string>,
  maxAge: Duration.Duration,
  { isNew = false, watch = () => (look) => look }: { readonly isNew?: boolean; readonly watch?: Watch } = {}
) {
  const feed = yield* Effect.result(Effect.flatMap(Layer.build(marketplaceServices(flags)), cacheAnswers))
  const home = yield* Effect.result(Layer.build(homeServices(flags)))
  const settings = yield* watch("the settings")(settingsFindings(flags, feed))
  const offered = Result.isFailure(feed)
    ? []
    : yield* watch("the marketplace")(one("marketplace", Effect.provideContext(gamesOffered, feed.success)))
  const inLake = yield* sizesKnown(flags)
  const expected =
    Result.isFailure(feed) || offered.some(({ ok }) => !ok)
      ? []
      : yield* watch("a page")(
          Effect.provideContext(nightFindings(inLake), Context.merge(feed.success, yield* judging(flags, home)))
        )
  const address = yield* Effect.orElseSucceed(findBucket(flags), () => null)
  const stored =
    address !== null
      ? yield* bucketFindings(address, { flags, feed, isNew, maxAge, watch })
      : Result.isFailure(home)
        ? yield* watch("the home")(one("home", Effect.fail(home.failure)))
        : yield* Effect.provideContext(homeFindings({ flags, feed, isNew, maxAge, watch }), home.success)
  return [...settings, ...offered, ...expected, ...stored]
}, Effect.scoped)

/** Returns the sizes of the games in the home; empty if it cannot be read. */
const sizesKnown = (flags: Record<string, string>) =>
  inHome(flags, { work: readNeeds("recent"), services: homeServices }, () => sizesInLake).pipe(
    Effect.orElseSucceed((): ReadonlyMap<string, GameSize> => new Map())
  )

/** The services to validate a page. If the home is remote, DuckDB works in a temporary folder. */
const judging = (flags: Record<string, string>, home: Result.Result<Context.Context<Home | Lake>, unknown>) =>
  Effect.map(Layer.build(judgeServices(flags)), (services) =>
    Result.isFailure(home) ? services : Context.merge(services, home.success)
  )

/** Checks the dialect of a page, and the rate limits in the answers. */
const nightFindings = (inLake: ReadonlyMap<string, GameSize>) =>
  Effect.gen(function* () {
    const feeds = yield* feedsOfGames((yield* listGames).gameIds)
    const { first, sizes, unsearched } = yield* gameSizes(inLake, feeds)
    const unread = unsearched.map(ofListed)
    if (first === null) return unread
    const { says, verdict, words } = yield* examineWords(first.gameId, first.page)
    const vias = yield* examineVias(sizes, feeds)
    const limits = yield* examineLimits(
      sizes,
      vias.flatMap(({ via }) => via ?? [])
    )
    return [
      { name: "words", ok: verdict !== "bad", ...(verdict === "doubt" ? { isDoubt: true as const } : {}), says, words },
      ...unread,
      ...vias.map((found): Finding => Object.assign({ name: "via" }, found)),
      { name: "limits", ok: true, ...limits }
    ]
  }).pipe(
    Effect.catch((error) => Effect.succeed([failed("words", error)])),
    Effect.map((findings): ReadonlyArray<Finding> => findings)
  )

const settingsFindings = Effect.fnUntraced(function* (flags: Record<string, string>, feed: Feed) {
  const faults = yield* settingsFaults(flags)
  // No setting explains a failure of the services themselves.
  const wrong = faults.length > 0 || Result.isSuccess(feed) ? faults : [feed.failure]
  const right = Effect.map(
    Effect.fromResult(feed),
    (services) => `The marketplace is ${Context.get(services, Marketplace).url}`
  )
  return [
    ...(wrong.length === 0 ? [yield* finding("settings", right)] : []),
    ...wrong.map((fault) => failed("settings", fault)),
    ...(yield* settingsDoubts(flags)).map((says) => doubt(says))
  ]
})

/** Returns the finding of a listed game that cannot be searched. */
const ofListed = ({ failure }: Unsearched): Finding =>
  failure._tag === "NotFound"
    ? {
        name: "words",
        ok: false,
        says: `${failure.parts.fact}. The list of games has it, so report this to the marketplace; a night reads the other games`
      }
    : failed("words", failure)
