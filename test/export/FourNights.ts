import { NodeServices } from "@effect/platform-node"
import { Context, Effect, type FileSystem, Layer } from "effect"
import { cpSync } from "node:fs"
import { lakeServices } from "../../pipelines/settings/services.ts"
import { SnapshotId } from "../../src/contract/Ids.ts"
import { diffSnapshots } from "../../src/diff/diffSnapshots.ts"
import { type Current, withPublications } from "../../src/lake/publish/Current.ts"
import type { BucketSettings } from "../../src/export/destination/BucketSettings.ts"
import { Home } from "../../src/lake/home/Home.ts"
import type { SnapshotFolder } from "../../src/lake/load/loadSnapshot.ts"
import type { Lake } from "../../src/lake/duckdb/Lake.ts"
import { lockHome } from "../../src/lake/home/lockHome.ts"
import { publish } from "../../src/lake/publish/publish.ts"
import { emptyHome, snapshotOf } from "../lake/handMadeReading.ts"
import { card, expansion, gameId } from "../lake/invented.ts"
import { exportTo, temporaryFolder } from "./Dropped.ts"

/** 1 to 4, as ids and days: 2026-05-01 is the first. */
export const nightId = (place: number) => SnapshotId.make(`2026050${place}T030000000Z-0000`)
export const dayOf = (place: number) => `2026-05-0${place}`

/** Card 1 costs 10.25 on the first night, and 1 more on each that follows; a card is added every night. */
const said = (place: number) => ({
  completedAt: `${dayOf(place)}T03:00:00.000Z`,
  expansions: [expansion(71, { languages: ["en", "de"] })],
  products: Array.from({ length: place + 1 }, (_, index) =>
    card(index + 1, {
      pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low: 9.25 + place, marketValue: 10.25 } } }
    })
  )
})

const publishAll = Effect.gen(function* () {
  const home = yield* Home
  let before: SnapshotFolder | null = null
  let current: Current = { games: {}, history: [] }
  for (const place of [1, 2, 3, 4]) {
    const snapshot: SnapshotFolder = yield* snapshotOf(nightId(place), said(place), before)
    if (before !== null) yield* diffSnapshots(before, snapshot, home.changes(gameId, nightId(place)))
    before = snapshot
    const step = { run: nightId(place), gameId, snapshot: nightId(place), at: said(place).completedAt, why: null }
    current = withPublications(current, [{ ...step, kind: "nightly" }])
  }
  yield* publish(nightId(4), current, yield* lockHome("nightly", nightId(4)))
}).pipe(Effect.scoped)

/** A home of four nights, one a day; a test that changes it takes a copy. */
export class FourNights extends Context.Service<
  FourNights,
  {
    readonly services: Context.Context<BucketSettings | Home | Lake | FileSystem.FileSystem>
    readonly root: string
    /** All of it, exported; not to be changed. */
    readonly drop: string
  }
>()("cardlake/test/FourNights") {
  static readonly layer = Layer.effect(
    FourNights,
    Effect.gen(function* () {
      yield* publishAll
      const { root } = yield* Home
      const drop = yield* temporaryFolder
      yield* exportTo(drop)
      return { root, drop, services: yield* Effect.context<BucketSettings | Home | Lake | FileSystem.FileSystem>() }
    })
  ).pipe(Layer.provide(emptyHome))

  /** Services of a copy that goes with the scope. */
  static readonly copy = Effect.gen(function* () {
    const { root } = yield* FourNights
    const folder = yield* temporaryFolder
    cpSync(root, folder, { recursive: true })
    const services = lakeServices({ CARDLAKE_HOME: folder }).pipe(Layer.provideMerge(NodeServices.layer))
    // A memo map of its own: in that of the test's layer the home is the one that was copied.
    return yield* Layer.buildWithMemoMap(services, yield* Layer.makeMemoMap, yield* Effect.scope)
  })
}
