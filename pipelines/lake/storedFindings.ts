import { type Duration, Effect, Result } from "effect"
import { ownSql, readOwn } from "../../src/desk/own/Own.ts"
import { readWatchlist } from "../../src/desk/own/Watchlist.ts"
import { feedAhead, lakeAge } from "../../src/night/observe/examineAge.ts"
import { type HeldGame, heldGames, heldText } from "../../src/night/observe/heldGames.ts"
import { examineBackfill } from "../../src/night/run/backfill/backfillQueue.ts"
import { gamesKnown, gamesListed } from "../../src/night/run/examine/gameSizes.ts"
import { checkHome } from "../../src/night/run/repair/runRepair.ts"
import { formatAmount } from "../../src/store/diff/formatAmount.ts"
import { Home } from "../../src/store/home/Home.ts"
import { isThere } from "../../src/store/home/disk.ts"
import { examineHome } from "../../src/store/home/claimHome.ts"
import { openStore } from "../../src/store/home/bucket/BucketStore.ts"
import { BucketFailed } from "../../src/store/home/bucket/BucketFailed.ts"
import { examineFrontIn } from "../../src/night/cluster/copies/publishBucketFront.ts"
import { examineFront } from "../../src/store/lake/front/publishFront.ts"
import { builtByAnother, builtElsewhere, elsewhereText } from "../../src/store/lake/publish/madeFrom.ts"
import { openLake } from "../../src/store/lake/publish/openLake.ts"
import { inHome, readNeedsIfAny } from "../flags/inHome.ts"
import { boundsOfOthers } from "../settings/examineSettings.ts"
import { bucketServices, homeServices, withServices } from "../settings/services.ts"
import { doubt, failed, type Feed, type Finding, type Findings, finding, one, type Watch } from "./Finding.ts"
import { nightFindings, objectFindings, readingsText, storeFinding } from "./sharedFindings.ts"
import { Fault } from "../../src/feed/contract/Fault.ts"

interface FindingInputs {
  /** Flags as the variables that they override. */
  readonly flags: Record<string, string>
  readonly feed: Feed
  readonly maxAge: Duration.Duration
  readonly watch: Watch
  /** True if the home is yet to be made. */
  readonly isNew: boolean
}

/** If the games are unknown, the findings about them report the reason. */
const boundDoubts = gamesKnown.pipe(
  Effect.flatMap(boundsOfOthers),
  Effect.map((doubts) => doubts.map((says) => doubt(says))),
  Effect.orElseSucceed(() => [])
)

export const heldFinding = (game: HeldGame): Finding => {
  const { gameId, reasons, sinceMillis, snapshot } = game
  const held = { gameId, snapshot, since: new Date(sinceMillis).toISOString(), reasons }
  return { name: "held", ok: false, says: heldText(game), held }
}

const heldFindings = heldGames.pipe(
  Effect.map((games) =>
    games.length === 0 ? [{ name: "held", ok: true, says: "No game is held" }] : games.map(heldFinding)
  ),
  Effect.catch((error) => Effect.succeed([failed("held", error)]))
)

/** Null if no cards were imported and no price is watched. */
const examineOwn = Effect.gen(function* () {
  const { collections } = yield* readOwn
  const { watched } = yield* readWatchlist
  if (collections.length === 0 && watched.length === 0) return null
  yield* ownSql
  const prices = watched.length === 0 ? "" : `, ${formatAmount(watched.length, "watched price")}`
  return { says: `${formatAmount(collections.length, "collection")} of your own cards${prices}` }
})

/** Returns the finding of what a home may lack; empty if it does. */
const optional = <E extends { readonly message: string }, R>(
  name: string,
  examined: Effect.Effect<(Omit<Finding, "name" | "ok"> & { readonly ok?: boolean }) | null, E, R>
): Findings<never, R> =>
  examined.pipe(
    Effect.map((found) => (found === null ? [] : [{ name, ok: true, ...found }])),
    Effect.catch((error) => Effect.succeed([failed(name, error)]))
  )

/** A missing home is normal before the first night; later it means a wrong address. */
const homeFinding = Effect.fnUntraced(function* (isNew: boolean) {
  const { root } = yield* Home
  const found = yield* finding("home", examineHome)
  return [found.ok && !isNew && !isThere(root) ? { ...found, isDoubt: true as const } : found]
})

/** Checks the contents of the home only if its folder exists. */
export const homeFindings = Effect.fnUntraced(function* (inputs: FindingInputs) {
  const { flags, maxAge, watch } = inputs
  const examined = yield* watch("the home")(homeFinding(inputs.isNew))
  if (examined.some(({ ok }) => !ok)) return examined
  const stored = yield* Effect.all([
    watch("the lake")(lakeAnswers),
    watch("the files")(one("files", checkHome)),
    watch("the front")(optional("front", examineFront)),
    watch("your own cards")(optional("own", examineOwn)),
    watch("the backfill")(optional("backfill", examineBackfill)),
    watch("what is held")(heldFindings),
    watch("its age")(one("age", lakeAge(maxAge))),
    watch("the nights")(nightFindings(flags))
  ])
  return [...examined, ...stored.flat(), ...(yield* comparedFindings(inputs))]
})

const comparedFindings = Effect.fnUntraced(function* ({ feed, maxAge, watch }: FindingInputs) {
  if (Result.isFailure(feed)) return []
  const withFeed = Effect.provideContext(feed.success)
  const compared = yield* Effect.all([
    watch("the bounds")(withFeed(boundDoubts)),
    watch("the games")(one("games", withFeed(gamesListed))),
    watch("the feed")(one("feed", withFeed(feedAhead(maxAge))))
  ])
  return compared.flat()
})

/** Checks a home in a bucket without reading all of it. */
export const bucketFindings = Effect.fnUntraced(function* (address: string, inputs: FindingInputs) {
  const { flags, maxAge, watch } = inputs
  const store = yield* watch("the bucket")(
    Effect.map(Effect.result(storeFinding(flags, address)), (found): ReadonlyArray<Finding> =>
      Result.isSuccess(found)
        ? [{ name: "home", ok: true, ...found.success }, ...objectFindings(found.success.bucket)]
        : [failed("home", found.failure)]
    )
  )
  if (store.some(({ name, ok }) => name === "home" && !ok)) return store
  const found = yield* Effect.result(
    inHome(flags, { work: readNeedsIfAny("all"), services: homeServices }, () =>
      Effect.gen(function* () {
        const stored = [
          yield* watch("the readings")(one("readings", readingsText)),
          yield* watch("the front")(
            optional("front", withServices(bucketServices(flags))(Effect.flatMap(openStore(address), examineFrontIn)))
          ),
          yield* watch("the backfill")(optional("backfill", examineBackfill)),
          yield* watch("what is held")(heldFindings),
          yield* watch("its age")(one("age", lakeAge(maxAge))),
          yield* watch("the nights")(nightFindings(flags))
        ]
        return [...stored.flat(), ...(yield* comparedFindings(inputs))]
      })
    )
  )
  if (Result.isSuccess(found)) return [...store, ...found.success]
  const { failure } = found
  // The finding of a damaged object already names its repair.
  const isReported = store.some(({ bucket }) =>
    bucket?.damaged.some(({ object }) => failure instanceof BucketFailed && failure.step === `Read ${object}`)
  )
  return isReported ? store : [...store, failed("readings", failure)]
})

/** Not an error: after an update the lake has the previous version's schema until the next night. */
const ofAnother =
  "Another version of Cardlake built the lake: pages and queries may need what it lacks. The next night that reads a game rebuilds it; to rebuild it now: cardlake doctor --repair"

const right = (says: string): Finding => ({ name: "lake", ok: true, says })

const lakeAnswers = Effect.gen(function* () {
  const session = yield* openLake
  const built = yield* builtElsewhere(session)
  if (built !== null) return yield* new Fault("LakeMoved", elsewhereText(built))
  if (yield* builtByAnother(session)) return doubt(ofAnother)
  const [row] = yield* session.rows(
    "Query the lake",
    "select count(*) as games, sum(products)::bigint as products from snapshots where is_current"
  )
  return right(
    `${formatAmount(Number(row?.["games"]), "game")} with ${formatAmount(Number(row?.["products"]), "product")}`
  )
}).pipe(
  Effect.catchTag("NoLake", (none) =>
    none.isMissing
      ? Effect.fail(none)
      : Effect.succeed(right("No night has been published yet; make the first with: cardlake nightly"))
  ),
  Effect.scoped,
  Effect.catch((error) => Effect.succeed(failed("lake", error))),
  Effect.map((found): ReadonlyArray<Finding> => [found])
)
