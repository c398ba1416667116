import { Effect, type Layer } from "effect"
import { copyFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Current, Home, withPublications } from "../../../../src/store/home/Home.ts"
import { lockHome } from "../../../../src/store/home/lock/lockHome.ts"
import type { SnapshotFolder } from "../../../../src/store/home/Manifest.ts"
import { diffSnapshots } from "../../../../src/store/diff/diffSnapshots.ts"
import { loadRates } from "../../../../src/store/lake/fx/loadRates.ts"
import { storeConfirmations } from "../../../../src/store/lake/history/tidyHistory.ts"
import { publish } from "../../../../src/store/lake/publish/publish.ts"
import { importCollection } from "../../../../src/desk/own/importCollection.ts"
import { isFull, rounds } from "../../../tried.ts"
import { type emptyHome, snapshotOf } from "../handMadeNights.ts"
import { card, expansion, gameId, type Json, idOf } from "../invented.ts"
import { storedBackfill } from "../storedBackfill.ts"
import { showing } from "../../../../src/night/run/showing.ts"
import { folderNamed, shared } from "../../../support/suite.ts"

const dayMillis = 86_400_000
export const storyDay = (day: number, time = ""): string =>
  new Date(Date.UTC(2026, 4, 1) + day * dayMillis).toISOString().slice(0, 10) + time

const offered = (low: number, listingCount: number) => ({ low, listingCount, availableQuantity: 9 })
const region = (currency: string, low: number, listings: number) => ({
  currency,
  ...offered(low, listings),
  byCondition: { NM: { ...offered(low, listings), byLanguage: { en: offered(low, listings) } } }
})
const prices = (eur: number | null, usd: number | null, listings = 0): Json => ({
  ...(eur === null ? {} : { sourceEur: { currency: "EUR", low: eur / 4, marketValue: eur, change7d: 1 } }),
  ...(usd === null ? {} : { sourceUsd: { currency: "USD", marketValue: usd } }),
  ...(listings === 0
    ? {}
    : {
        marketplace: {
          low: { amount: eur ?? 1, currency: "EUR" },
          listingCount: 2 * listings,
          availableQuantity: 9,
          regions: { eu: region("EUR", eur ?? 1, listings), na: region("USD", 30, listings) }
        }
      })
})
/** A card whose id stands for another product from time to time. */
const reused = (id: number, era: number): Json => ({
  name: `Moth ${id} of ${era}`,
  nameSlug: `moth-${id}-${era}`,
  printNumber: `${id}/${era}`,
  externalIds: { sourceEur: [{ finish: "Standard", id: 1000 * id + era }] }
})

/** What the feed has on a day; every ten days are alike. */
const feedOf = (day: number) => {
  const era = Math.floor((day + 2) / 10)
  const [decade, place] = [Math.floor(day / 10), day % 10]
  const set = { expansionId: 71, expansion: { id: 71, code: `M${decade}`, name: `Marsh ${decade}` } }
  const own = (id: number, byFinish: Json, more: Json = {}) => card(id, { ...set, pricesByFinish: byFinish, ...more })
  return {
    expansions: [
      expansion(71, { code: `M${decade}`, name: `Marsh ${decade}`, releaseDate: "2026-04-20T00:00:00.000Z" })
    ],
    products: [
      // A spike that comes back, beside one that does not.
      own(1, { Standard: prices((place === 3 || place === 6 ? 50 : 10) + day / 100, 12 + day, place % 5) }),
      own(2, { Standard: prices(20 + day, 25 + day) }, reused(2, era)),
      // Away for two days, and then now and then another product.
      ...(place === 2 || place === 3
        ? []
        : [own(3, { Standard: prices(5 + day, 6) }, reused(3, Math.floor(decade / 2)))]),
      // The finishes and languages grow, and the price is stale.
      own(
        4,
        { Standard: prices(12 + decade, 30), ...(day < 5 ? {} : { Foil: prices(40 - (day % 7), 50 + day) }) },
        { finishes: day < 5 ? ["Standard"] : ["Standard", "Foil"], languages: day < 9 ? ["ja"] : ["en", "ja"] }
      ),
      // The European source comes later, and is away at times.
      own(5, { Standard: prices(day < 6 || place === 8 ? null : 7 + day, 9 + day) }),
      own(6, { Standard: prices(place < 5 ? 3 : 4, null, 1) })
    ]
  }
}

/** A lake as it was at an instant, when all that was ever known came from readings, backfills and rates until then. */
export interface Moment {
  readonly at: string
  readonly lake: string
  /** Whether nothing more came on its day. */
  readonly endsDay: boolean
}

/** The moments that `npm test` publishes: the first has the products of collections, and the others are compared. */
const published = new Set([0, 7, 10])

const rateOf = (day: number) => (1 + (day % 13) / 50).toFixed(2)
/** The European Central Bank's file on a day: none at weekends. */
const ratesUntil = (day: number) =>
  Array.from({ length: day + 1 }, (_, one) => one)
    .filter((one) => ![0, 6].includes(new Date(storyDay(one)).getUTCDay()))
    .map((one) => `${storyDay(one)},${rateOf(one)}\n`)

/**
 * Nights of one game at 03:00, each tenth of days with: a night taken back at 06:00 (day 5), a held one released at 06:00, which takes
 * back the one between (6), a day of which only the service's history knows (7), a backfill at 02:00 (8), and a day whose reading, at 14:30,
 * finds nothing new (4).
 */
const story = Effect.fnUntraced(function* (days: number) {
  const home = yield* Home
  const folder = yield* folderNamed("cardlake [moments] ")
  const lock = yield* lockHome("nightly", idOf("story"))
  const snapshots = new Map<string, SnapshotFolder>()
  const moments: Array<Moment> = []
  let current: Current = { games: {}, history: [] }
  const load = Effect.fnUntraced(function* (at: string, day: number) {
    const before = snapshots.get(current.games[gameId]?.snapshot ?? "") ?? null
    const id = idOf(at.replaceAll(/\D/g, ""))
    const snapshot = yield* snapshotOf(id, { completedAt: at, ...feedOf(day) }, before)
    if (before !== null) yield* diffSnapshots(before, snapshot, home.changes(gameId, id))
    snapshots.set(id, snapshot)
    return id
  })
  /** Makes a snapshot the current one: a night, a release or a rollback. */
  const step = (snapshot: ReturnType<typeof idOf>, at: string) => {
    const step = { run: snapshot, kind: "nightly", gameId, snapshot, deploymentId: null, at, why: null } as const
    current = withPublications(current, [step])
  }
  const show = Effect.fnUntraced(function* (at: string, endsDay: boolean) {
    const lake = join(folder, `${moments.length}.duckdb`)
    if (isFull || published.has(moments.length)) {
      yield* publish(idOf(`publish${moments.length}`), current, lock)
      copyFileSync(home.lake, lake)
    }
    moments.push({ at, lake, endsDay })
  })
  const backfill = (first: number, last: number) => {
    const ofDay = (product: number, day: number) => product * 8 + ((day + 40) % 4) * (product === 4 ? 0 : 9)
    const values = (product: number) =>
      Array.from({ length: last - first + 1 }, (_, index) => {
        return [storyDay(first + index), ofDay(product, first + index)] as const
      })
    return storedBackfill(`backfill${String(last).padStart(3, "0")}`, new Map([1, 2, 4].map((id) => [id, values(id)])))
  }
  for (let day = 0; day < days; day++) {
    const place = day % 10
    const at = (time: string) => storyDay(day, `T${time}:00.000Z`)
    const last = current.games[gameId]?.snapshot
    yield* loadRates(idOf("fx"), {
      source: "rates.csv",
      text: `Date,USD\n${ratesUntil(day).join("")}`,
      loadedAt: at("01:00")
    })
    if (place === 7) continue
    if (place === 4 && last !== undefined) {
      yield* storeConfirmations(gameId, [{ gameId, snapshot: last, seenAt: at("14:30") }])
      yield* show(at("14:30"), true)
      continue
    }
    if (day === 0) yield* backfill(-9, 0)
    if (place === 5 || place === 8) yield* backfill(place === 5 ? day : day - 2, day)
    if (place === 8) yield* show(at("02:00"), false)
    const night = yield* load(at("03:00"), day)
    if (place === 5) {
      step(night, at("03:00"))
      step(last ?? night, at("06:00"))
    } else if (place === 6) {
      step(yield* load(at("04:00"), day + 2), at("04:00"))
      step(night, at("06:00"))
    } else step(night, at("03:00"))
    yield* show(at(place === 5 || place === 6 ? "06:00" : "03:00"), true)
    if (day === 0) yield* importCards(folder).pipe(showing(Date.parse(at("05:00"))))
  }
  return moments
})

/** Two collections: each card in two of its finishes. */
const importCards = Effect.fnUntraced(function* (folder: string) {
  const file = join(folder, "cards.csv")
  const rows = [1, 2, 3, 4, 5, 6].flatMap((id) => [`${id},Standard,${id},NM,en`, `${id},Standard,1,LP,ja`])
  writeFileSync(file, `product_id,finish,quantity,condition,language\n${rows.join("\n")}\n`)
  yield* importCollection({ file, name: "mine", add: false, game: null, currency: null })
})

/** A home with its lakes, day by day: sixty days in `npm run test:full`, else eleven. */
export const LongStory = shared("LongStory", function* () {
  const moments = yield* story(rounds(60, 11))
  return { services: yield* Effect.context<Layer.Success<typeof emptyHome>>(), moments }
})
