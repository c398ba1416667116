import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { dialectNames, type KnownDialect } from "../../src/feed/contract/dialect/dialects.ts"
import type { FaultRule } from "../../src/market/faults/FaultPlan.ts"
import { placeOfSnapshot, type References, readReferences } from "./references.ts"
import { filesWithKey, publishedState, type SoakNight, soakNight, type FeedsOfNight } from "./soakHome.ts"
import { seededNumbers, soakPlan } from "./soakPlan.ts"
import { lakeIsPublished, saysNoKey } from "./soak.ts"
import { newFolder, live } from "../support/suite.ts"
import { catalogueFolder } from "../store/lake/invented.ts"
import { soakDeployments, soakSteps } from "./soakGames.ts"

/** Faults of feed files, of what is said of them, and of the way to them. */
const feedFaults: ReadonlyArray<FaultRule> = [
  { kind: "dead-link", endpoint: "downloads" },
  { kind: "truncated", endpoint: "downloads" },
  { kind: "redeploy", endpoint: "downloads", times: 1 },
  { kind: "redeploy", endpoint: "feeds", when: "after", times: 1 },
  { kind: "wrong-checksum", endpoint: "feeds" },
  { kind: "wrong-count", endpoint: "feeds" },
  { kind: "null-feed", endpoint: "feeds" },
  { kind: "feed-not-generated", endpoint: "feeds" },
  // Last, because it does answer in the end.
  { kind: "declared-gzip", endpoint: "downloads" }
]

/** A file that is cut on its way is asked for again, so many times in a row. */
const lostFiles: ReadonlyArray<FaultRule> = [
  { kind: "reset-body", endpoint: "downloads" },
  { kind: "reset", endpoint: "downloads" },
  { kind: "server-error", endpoint: "downloads" }
]

const ofFeeds: ReadonlySet<string> = new Set(
  feedFaults.map(({ kind }) => kind).filter((kind) => kind !== "truncated" && kind !== "redeploy")
)

/** Faults that only feed files meet: of their own kinds, or on the way to them. */
const feedFaultsOf = ({ injected }: SoakNight): ReadonlyArray<string> =>
  injected.list
    .filter(({ kind, request }) => ofFeeds.has(kind) || /\/(?:files\/feeds|v1\/feeds)\/(?!.*changelog)/.test(request))
    .map(({ kind }) => kind)

/** What both ways of reading have of each game at each place. Feed files have slugs, which each dialect writes in its own way. */
interface ViaReferences {
  readonly pages: References
  readonly feeds: Readonly<Record<KnownDialect, References>>
}

/** The place of a published snapshot; what was noted of lines without a product is of no deployment. */
const placeOf = ({ feeds, pages }: ViaReferences, dialect: KnownDialect, gameId: string, published: SoakPublished) => {
  const of = (published.via === "feeds" ? feeds[dialect] : pages)[gameId] ?? []
  const [first] = of
  const drift = first?.tables["drift"] ?? ""
  return placeOfSnapshot(of, { ...published, tables: { ...published.tables, drift } })
}
type SoakPublished = Effect.Success<ReturnType<typeof publishedState>>["snapshots"][string]

/**
 * Nights of a new home in every dialect, by whichever way of reading `auto` takes, under seeded faults of pages and of feed files,
 * some with files that are behind for ever or tell of strange products. Each snapshot is that of exactly one deployment,
 * and no night of `auto` fails: where feed files cannot be had, pages can.
 */
const soakBothVias = Effect.fnUntraced(function* (
  catalogue: string,
  references: ViaReferences,
  seed: number,
  nights: number
) {
  const next = seededNumbers(seed)
  const root = yield* newFolder
  const gameIds = Object.keys(references.pages)
  const last = (references.pages[gameIds[0] ?? ""]?.length ?? 1) - 1
  const faults: Array<string> = []
  const vias = new Map<string, number>()
  let places: Readonly<Record<string, number>> = Object.fromEntries(gameIds.map((gameId) => [gameId, 0]))
  let before = yield* publishedState(root)

  for (let number = 0; number < nights; number++) {
    const dialect = dialectNames[number % dialectNames.length] ?? "spec"
    const { rules = [], ...plan } = soakPlan(next, "passing")
    const drawn = (of: typeof feedFaults, least: number, most: number) =>
      of
        .filter(() => next() < 0.5)
        .map((rule): FaultRule => Object.assign({ rate: least + next() * (most - least) }, rule))
    const own = [...drawn(feedFaults, 0.03, 0.15), ...drawn(lostFiles, 0.3, 0.8)]
    const isLate = next() < 0.2
    // July's pages have no live prices, so that a night by them is held.
    const via = dialect === "live-july" ? "feeds" : "auto"
    const of: FeedsOfNight = { via, feedLag: isLate ? 1_000_000 : 0, orphans: next() < 0.2 ? 2 : 0 }
    const all = { ...plan, mostInARow: 30, rules: [...own, ...rules] }
    const night = yield* soakNight(root, catalogue, places, all, dialect, of)
    const after = yield* publishedState(root)
    const where = `seed ${seed}, night ${number}, ${dialect}, ${JSON.stringify({ ...of, own, plan: rules })}`
    saysNoKey(night, where)
    lakeIsPublished(after, where)
    assert.isNull(night.fault, where)
    for (const { gameId, reason, reconciliation, via, verdict } of night.report?.games ?? []) {
      const here = `${where}, ${gameId} ${verdict} by ${via}: ${reason}`
      if (verdict === "failed" && of.via === "feeds") {
        assert.match(reason ?? "", /feed files|cannot be used/, here)
        assert.deepStrictEqual(after.snapshots[gameId], before.snapshots[gameId], here)
      } else {
        assert.include(["published", "unchanged"], verdict, here)
        assert.strictEqual(reconciliation?.unexplained, 0, here)
      }
      vias.set(`${verdict} by ${via}`, (vias.get(`${verdict} by ${via}`) ?? 0) + 1)
      const published = after.snapshots[gameId]
      if (published === undefined || published.snapshot === before.snapshots[gameId]?.snapshot) continue
      const place = placeOf(references, dialect, gameId, published)
      const earliest = isLate ? 0 : (places[gameId] ?? 0)
      const isThere = typeof place === "number" && place >= earliest && place <= (night.places[gameId] ?? 0)
      assert.isTrue(isThere, `${here}: ${place}`)
    }
    faults.push(...feedFaultsOf(night), ...(isLate ? ["behind"] : []), ...(of.orphans === 2 ? ["orphan"] : []))
    before = after
    places = Object.fromEntries(
      gameIds.map((gameId) => [gameId, Math.min(last, (night.places[gameId] ?? 0) + (next() < 0.4 ? 1 : 0))])
    )
  }
  assert.deepStrictEqual(filesWithKey(root), [], `seed ${seed}`)
  return { faults, vias }
}, Effect.scoped)

const wanted = Number(process.env["SOAK_FAULTS"] ?? 5000)
const nightsOfARun = 6
/** A new one each time, unless `SOAK_SEED` names a past one. */
const firstSeed = Number(process.env["SOAK_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

live(
  `under ${wanted} faults of feed files every snapshot by either way equals a fault-free one (SOAK_SEED=${firstSeed})`,
  function* () {
    const sizes = { alder: 230, birch: 90, cedar: 60, dogwood: 40, elder: 30, fir: 20 }
    const games = Object.fromEntries(
      Object.entries(sizes).map(([id, size], at) => [id, soakDeployments(id, 10_000 * (at + 1), size)])
    )
    const catalogue = yield* catalogueFolder(games)
    const feedsIn = (dialect: KnownDialect) =>
      readReferences(catalogue, Object.keys(games), soakSteps.length, "feeds", dialect)
    const references = {
      pages: yield* readReferences(catalogue, Object.keys(games), soakSteps.length),
      feeds: { spec: yield* feedsIn("spec"), live: yield* feedsIn("live"), "live-july": yield* feedsIn("live-july") }
    }
    const counts = new Map<string, number>()
    const vias = new Map<string, number>()
    let faults = 0
    let runs = 0
    for (; faults < wanted; runs++) {
      const run = yield* soakBothVias(catalogue, references, firstSeed + runs, nightsOfARun)
      faults += run.faults.length
      for (const kind of run.faults) counts.set(kind, (counts.get(kind) ?? 0) + 1)
      for (const [via, games] of run.vias) vias.set(via, (vias.get(via) ?? 0) + games)
      console.log(`seed ${firstSeed + runs}: ${faults} faults of feed files in ${(runs + 1) * nightsOfARun} nights`)
    }
    console.log(Object.fromEntries([...counts].toSorted()), Object.fromEntries(vias))
    for (const verdict of ["published by feeds", "published by pages", "unchanged by feeds"]) {
      assert.isAbove(vias.get(verdict) ?? 0, 0, verdict)
    }
  },
  7_200_000
)
