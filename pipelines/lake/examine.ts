import { Context, type Duration, Effect, type FileSystem, Layer, Result, Schema } from "effect"
import { Marketplace } from "../../src/client/Marketplace.ts"
import { amountOf } from "../../src/diff/amountOf.ts"
import { builtByAnother, builtElsewhere, elsewhereText } from "../../src/lake/publish/builtElsewhere.ts"
import { examineHome } from "../../src/home/claimHome.ts"
import type { Home } from "../../src/home/Home.ts"
import type { Lake } from "../../src/lake/duckdb/Lake.ts"
import { openLake } from "../../src/lake/publish/openLake.ts"
import { feedAhead, lakeAge } from "../../src/observe/examineAge.ts"
import { heldGames, heldText } from "../../src/observe/heldGames.ts"
import { listGames } from "../../src/reading/listGames.ts"
import type { AskedRoad } from "../../src/run/AskedRoad.ts"
import { gamesKnown, gamesListed, gamesOffered } from "../../src/run/examine/examineGames.ts"
import { type BackfillState, examineBackfill } from "../../src/run/examine/examineBackfill.ts"
import { examineLimits, type NightNeeds } from "../../src/run/examine/examineLimits.ts"
import { examineRoads, type RoadOfGame } from "../../src/run/examine/examineRoads.ts"
import { examineWords, type WordsOfPage } from "../../src/run/examine/examineWords.ts"
import { feedsOfGames } from "../../src/run/examine/gameFeeds.ts"
import { gameSizes, sizesInLake } from "../../src/run/examine/gameSizes.ts"
import type { GameSize } from "../../src/run/examine/nightRequests.ts"
import { releasedKeys } from "../../src/run/examine/releasedKeys.ts"
import { homeWhole } from "../../src/run/examine/homeWhole.ts"
import { homeServices, marketplaceServices } from "../settings/services.ts"
import { boundsOfOthers } from "../settings/settingNames.ts"
import { settingsFaults } from "../settings/settingsFaults.ts"
import { askedOnce } from "./askedOnce.ts"
import { settingsDoubts } from "../settings/settingsDoubts.ts"

/** One thing that was checked. `says` ends with the next step if it is not `ok`, or is a `doubt`. */
export interface Finding {
  readonly name: string
  readonly ok: boolean
  readonly says: string
  /** `ok`, and yet somebody should look. */
  readonly isDoubt?: true
  /** Of a game that is held: not `ok`, but nothing is damaged. */
  readonly held?: { readonly gameId: string; readonly snapshot: string | null; readonly since: string }
  /** Of `words`. */
  readonly words?: WordsOfPage
  /** Of `road`. */
  readonly road?: RoadOfGame
  /** Of `limits`. */
  readonly night?: NightNeeds
  /** Of `backfill`. */
  readonly backfill?: BackfillState
}

type Findings<E = never, R = never> = Effect.Effect<ReadonlyArray<Finding>, E, R>

/** Surrounds each check, so that its findings can be shown as soon as it ends. */
export type Watch = (what: string) => <E, R>(look: Findings<E, R>) => Findings<E, R>

const finding = <E extends { readonly message: string }, R>(name: string, look: Effect.Effect<string, E, R>) =>
  Effect.map(Effect.result(look), (result): Finding =>
    Result.isSuccess(result)
      ? { name, ok: true, says: result.success }
      : { name, ok: false, says: withoutDoctor(result.failure.message) }
  )

const doubt = (says: string): Finding => ({ name: "doubt", ok: true, isDoubt: true, says })

/** Checks settings and marketplace, home and lake, one after the other; a fault in one does not hide the next. */
export const examine = Effect.fnUntraced(function* (
  flags: Record<string, string>,
  maxAge: Duration.Duration,
  watch: Watch = () => (look) => look
) {
  const feed = yield* Effect.result(Effect.flatMap(Layer.build(marketplaceServices(flags)), askedOnce))
  const home = yield* Effect.result(Layer.build(homeServices(flags)))
  const settings = yield* watch("the settings")(settingsFindings(flags, feed))
  const offered = Result.isFailure(feed)
    ? []
    : yield* watch("the marketplace")(one("marketplace", Effect.provideContext(gamesOffered, feed.success)))
  const inLake = Result.isFailure(home)
    ? new Map<string, GameSize>()
    : yield* Effect.orElseSucceed(Effect.provideContext(sizesInLake, home.success), () => new Map<string, GameSize>())
  const released = (gameId: string) =>
    Result.isFailure(home) ? Effect.succeed(null) : Effect.provideContext(releasedKeys(gameId), home.success)
  const expected =
    Result.isFailure(feed) || offered.some(({ ok }) => !ok)
      ? []
      : yield* watch("a page")(Effect.provideContext(nightFindings(inLake, released), feed.success))
  const stored = Result.isFailure(home)
    ? yield* watch("the home")(one("home", Effect.fail(home.failure)))
    : yield* homeFindings(home.success, { feed, maxAge, watch })
  return [...settings, ...offered, ...expected, ...stored]
}, Effect.scoped)

const one = <E extends { readonly message: string }, R>(
  name: string,
  look: Effect.Effect<string, E, R>
): Findings<never, R> => Effect.map(finding(name, look), (found) => [found])

/** What a page says of the words, and the answers of the limits. */
const nightFindings = (
  inLake: ReadonlyMap<string, GameSize>,
  released: (gameId: string) => Effect.Effect<ReadonlySet<string> | null, never, FileSystem.FileSystem>
) =>
  Effect.gen(function* () {
    const feeds = yield* feedsOfGames((yield* listGames).gameIds)
    const { first, sizes, unsearched } = yield* gameSizes(inLake, feeds)
    const failed = unsearched.map(({ message }): Finding => ({ name: "words", ok: false, says: ofListed(message) }))
    if (first === null) return failed
    const { says, verdict, words } = yield* examineWords(first.gameId, first.page, yield* released(first.gameId))
    const roads = yield* examineRoads(sizes, feeds)
    const limits = yield* examineLimits(
      sizes,
      roads.flatMap(({ road }) => road ?? [])
    )
    return [
      { name: "words", ok: verdict !== "bad", ...(verdict === "doubt" ? { isDoubt: true as const } : {}), says, words },
      ...failed,
      ...roads.map((found): Finding => Object.assign({ name: "road" }, found)),
      { name: "limits", ok: true, ...limits }
    ]
  }).pipe(
    Effect.catch(({ message }) => Effect.succeed([{ name: "words", ok: false, says: withoutDoctor(message) }])),
    Effect.map((findings): ReadonlyArray<Finding> => findings)
  )

type Feed = Result.Result<Context.Context<Marketplace | AskedRoad>, { readonly message: string }>

const settingsFindings = Effect.fnUntraced(function* (flags: Record<string, string>, feed: Feed) {
  const faults = yield* settingsFaults(flags)
  // What is wrong with the services themselves is in no setting.
  const says = faults.length > 0 || Result.isSuccess(feed) ? faults : [feed.failure.message]
  const right = Effect.map(
    Effect.fromResult(feed),
    (services) => `The marketplace is ${Context.get(services, Marketplace).url}`
  )
  return [
    ...(says.length === 0 ? [yield* finding("settings", right)] : []),
    ...says.map((fault): Finding => ({ name: "settings", ok: false, says: withoutDoctor(fault) })),
    ...(yield* settingsDoubts(flags)).map(doubt)
  ]
})

/** The findings about the games say why they are not known, if they are not. */
const boundDoubts = gamesKnown.pipe(
  Effect.flatMap(boundsOfOthers),
  Effect.map((doubts) => doubts.map(doubt)),
  Effect.orElseSucceed(() => [])
)

/** One finding for each game that is held. */
const heldFindings = heldGames.pipe(
  Effect.map((games) =>
    games.length === 0
      ? [{ name: "held", ok: true, says: "No game is held" }]
      : games.map((game) => ({
          name: "held",
          ok: false,
          says: heldText(game),
          held: { gameId: game.gameId, snapshot: game.snapshot, since: new Date(game.sinceMillis).toISOString() }
        }))
  ),
  Effect.catch(({ message }) => Effect.succeed([{ name: "held", ok: false, says: withoutDoctor(message) }]))
)

/** None where there was no backfill. */
const backfillFindings = examineBackfill.pipe(
  Effect.map((found) => (found === null ? [] : [{ name: "backfill", ok: true, ...found }])),
  Effect.catch(({ message }) => Effect.succeed([{ name: "backfill", ok: false, says: withoutDoctor(message) }]))
)

/** What is in the home is checked only if the folder is one. */
const homeFindings = Effect.fnUntraced(function* (
  home: Context.Context<Home | Lake>,
  { feed, maxAge, watch }: { readonly feed: Feed; readonly maxAge: Duration.Duration; readonly watch: Watch }
) {
  const inHome = Effect.provideContext(home)
  const examined = yield* watch("the home")(one("home", inHome(examineHome)))
  if (examined.some(({ ok }) => !ok)) return examined
  const stored = yield* Effect.all([
    watch("the lake")(inHome(lakeAnswers)),
    watch("the files")(one("files", inHome(homeWhole))),
    watch("the backfill")(inHome(backfillFindings)),
    watch("what is held")(inHome(heldFindings)),
    watch("its age")(one("age", inHome(lakeAge(maxAge))))
  ])
  if (Result.isFailure(feed)) return [...examined, ...stored.flat()]
  const inBoth = Effect.provideContext(Context.merge(home, feed.success))
  const compared = yield* Effect.all([
    watch("the bounds")(inBoth(boundDoubts)),
    watch("the games")(one("games", inBoth(gamesListed))),
    watch("the feed")(one("feed", inBoth(feedAhead(maxAge))))
  ])
  return [...examined, ...stored.flat(), ...compared.flat()]
})

/** The lake's history reads files of another folder. */
class LakeMoved extends Schema.TaggedError<LakeMoved>()("LakeMoved", { built: Schema.String }) {
  override get message() {
    return elsewhereText(this.built)
  }
}

/** Not wrong: after every update the lake is that of the version before, until a night. */
const ofAnother =
  "Another version of Cardlake built the lake: pages and queries may ask for what it lacks. The next night that reads a game rebuilds it; to rebuild it now: cardlake doctor --repair"

const right = (says: string): Finding => ({ name: "lake", ok: true, says })

const lakeAnswers = Effect.gen(function* () {
  const session = yield* openLake
  const built = yield* builtElsewhere(session)
  if (built !== null) return yield* new LakeMoved({ built })
  if (yield* builtByAnother(session)) return doubt(ofAnother)
  const [row] = yield* session.rows(
    "Ask the lake",
    "select count(*) as games, sum(products)::bigint as products from snapshots where is_current"
  )
  return right(`${amountOf(Number(row?.["games"]), "game")} with ${amountOf(Number(row?.["products"]), "product")}`)
}).pipe(
  Effect.catchTag("NoLake", (none) =>
    none.isGone
      ? Effect.fail(none)
      : Effect.succeed(right("No night has been published yet; make the first with: cardlake nightly"))
  ),
  Effect.scoped,
  Effect.catch(({ message }) => Effect.succeed({ name: "lake", ok: false, says: withoutDoctor(message) })),
  Effect.map((found): ReadonlyArray<Finding> => [found])
)

/** Of a game that the list has. */
const ofListed = (message: string): string =>
  withoutDoctor(
    message.replace(
      /See [\w ]+ with: cardlake doctor$/,
      "The list of games has it, so report this to the marketplace; a night reads the other games"
    )
  )

/** Removes the advice to run `cardlake doctor`, for those who are running it. `doctor --repair` is another command. */
export const withoutDoctor = (message: string): string =>
  message
    .replace(/See [\w ]+ with: cardlake doctor$/, "Check CARDLAKE_URL")
    .replace(/(?:[,;] then (?:check with|try|look again with)| with): cardlake doctor$/, "")
