import { NodeServices } from "@effect/platform-node"
import { Context, Effect, type FileSystem, Layer } from "effect"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { lakeServices } from "../../pipelines/settings/services.ts"
import { SnapshotId } from "../../src/feed/contract/Ids.ts"
import type { BucketSettings } from "../../src/store/home/bucket/BucketSettings.ts"
import type { IcebergSettings } from "../../src/warehouse/formats/iceberg/IcebergSettings.ts"
import type { Home } from "../../src/store/home/Home.ts"
import type { Lake } from "../../src/store/lake/duckdb/Lake.ts"
import { card, expansion } from "../store/lake/invented.ts"
import { exportTo, temporaryFolder } from "./Dropped.ts"
import { publishNights } from "./publishNights.ts"

/** The nights 1 to 4 as ids and days; the first is 2026-05-01. */
export const nightId = (place: number) => SnapshotId.make(`2026050${place}T030000000Z-0000`)
export const dayOf = (place: number) => `2026-05-0${place}`

/** Every card's low is 10.25 on the first night and 1 more on each later one; each adds a card. */
const said = (place: number) => ({
  completedAt: `${dayOf(place)}T03:00:00.000Z`,
  expansions: [expansion(71, { languages: ["en", "de"] })],
  products: Array.from({ length: place + 1 }, (_, index) =>
    card(index + 1, {
      pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low: 9.25 + place, marketValue: 10.25 } } }
    })
  )
})

const servicesOf = (root: string, settings: Readonly<Record<string, string>>) =>
  lakeServices({ CARDLAKE_HOME: root, ...settings }).pipe(Layer.provideMerge(NodeServices.layer))

const make = Effect.gen(function* () {
  const [root = "", drop = ""] = ["home", "drop"].map((name) =>
    mkdtempSync(join(tmpdir(), `cardlake [${name}] {a,b} `))
  )
  process.once("exit", () => [root, drop].forEach((folder) => rmSync(folder, { recursive: true, force: true })))
  const nights = publishNights([1, 2, 3, 4].map((place) => [nightId(place), said(place)]))
  yield* Effect.andThen(nights, exportTo(drop)).pipe(Effect.provide(servicesOf(root, {})))
  return { root, drop }
})
/** Shared by the test files that run in one process. */
const made = Effect.runSync(Effect.cached(make))

/** A home of four nights, one a day; a test that changes it takes a copy. */
export class FourNights extends Context.Service<
  FourNights,
  {
    readonly services: Context.Context<BucketSettings | IcebergSettings | Home | Lake | FileSystem.FileSystem>
    readonly root: string
    /** All of it, exported; not to be changed. */
    readonly drop: string
  }
>()("cardlake/test/FourNights") {
  static readonly layer = Layer.effect(
    FourNights,
    Effect.gen(function* () {
      const { drop, root } = yield* made
      return { drop, root, services: yield* Layer.build(servicesOf(root, {})) }
    })
  )

  /** Services of a copy in this folder. */
  static readonly copyTo = Effect.fnUntraced(function* (folder: string, settings: Readonly<Record<string, string>>) {
    const { root } = yield* FourNights
    cpSync(root, folder, { recursive: true })
    // Without a memo map of its own, the copy would get the services of the original home.
    return yield* Layer.buildWithMemoMap(servicesOf(folder, settings), yield* Layer.makeMemoMap, yield* Effect.scope)
  })

  /** Services of a copy that is deleted with the scope. */
  static readonly copy = Effect.flatMap(temporaryFolder, (folder) => FourNights.copyTo(folder, {}))
}

/** Runs in a copy of the four nights' home, with an empty folder to export to. */
export const inCopy = <A, E, R>(run: (folder: string) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const services = yield* FourNights.copy
    return yield* Effect.provideContext(run(yield* temporaryFolder), services)
  })
