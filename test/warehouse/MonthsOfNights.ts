import { NodeServices } from "@effect/platform-node"
import { Context, Effect, Layer } from "effect"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { lakeServices } from "../../pipelines/settings/services.ts"
import { SnapshotId } from "../../src/feed/contract/Ids.ts"
import { card, expansion } from "../store/lake/invented.ts"
import { temporaryFolder } from "./Dropped.ts"
import { publishNights } from "./publishNights.ts"

/** Nights of three months: the last one is still open. */
export const days = [
  "2026-01-30",
  "2026-01-31",
  "2026-02-01",
  "2026-02-02",
  "2026-02-15",
  "2026-03-01",
  "2026-03-02"
] as const
export const idOfDay = (dt: string) => SnapshotId.make(`${dt.replaceAll("-", "")}T030000000Z-0000`)

/** Each night has a card more than the one before, and other prices. */
const said = (dt: string, place: number) => ({
  completedAt: `${dt}T03:00:00.000Z`,
  expansions: [expansion(71, { languages: ["en", "de"] })],
  products: Array.from({ length: place + 2 }, (_, index) =>
    card(index + 1, {
      pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low: 10.25 + place, marketValue: 10.5 } } }
    })
  )
})

const servicesOf = (root: string, settings: Readonly<Record<string, string>> = {}) =>
  lakeServices({ CARDLAKE_HOME: root, ...settings }).pipe(Layer.provideMerge(NodeServices.layer))

const made = Effect.runSync(
  Effect.cached(
    Effect.gen(function* () {
      const root = mkdtempSync(join(tmpdir(), "cardlake [home] {a,b} "))
      process.once("exit", () => rmSync(root, { recursive: true, force: true }))
      const nights = publishNights(days.map((dt, place) => [idOfDay(dt), said(dt, place)]))
      yield* nights.pipe(Effect.provide(servicesOf(root)))
      return root
    })
  )
)

/** A home of nights in three months. */
export class MonthsOfNights extends Context.Service<MonthsOfNights, { readonly root: string }>()(
  "cardlake/test/MonthsOfNights"
) {
  static readonly layer = Layer.effect(
    MonthsOfNights,
    Effect.map(made, (root) => ({ root }))
  )
}

/** Runs in a copy of the home, with an empty folder to export to. */
export const inMonths = <A, E, R>(
  run: (folder: string) => Effect.Effect<A, E, R>,
  settings: Readonly<Record<string, string>> = {}
) =>
  Effect.gen(function* () {
    const { root } = yield* MonthsOfNights
    const copy = yield* temporaryFolder
    cpSync(root, copy, { recursive: true })
    const services = yield* Layer.buildWithMemoMap(
      servicesOf(copy, settings),
      yield* Layer.makeMemoMap,
      yield* Effect.scope
    )
    return yield* Effect.provideContext(run(yield* temporaryFolder), services)
  })
