import { Context, Effect, Layer } from "effect"
import { type FolderBody, suite, type Test } from "../support/suite.ts"
import { SnapshotId } from "../../src/feed/contract/Ids.ts"
import { card, expansion } from "../store/lake/invented.ts"
import { homeOnce, restored, servicesOf, temporaryFolder } from "./FourNights.ts"

/** Nights of three months: the last one is still open. */
export const days = ["2026-01-30", "2026-01-31", "2026-02-01", "2026-02-02", "2026-03-01", "2026-03-02"] as const
export const idOfDay = (dt: string) => SnapshotId.make(`${dt.replaceAll("-", "")}T030000000Z-0000`)

/** Each night has a card more than the one before, and other prices. */
const feedOf = (dt: string, place: number) => ({
  completedAt: `${dt}T03:00:00.000Z`,
  expansions: [expansion(71, { languages: ["en", "de"] })],
  products: Array.from({ length: place + 2 }, (_, index) =>
    card(index + 1, {
      pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low: 10.25 + place, marketValue: 10.5 } } }
    })
  )
})

const made = homeOnce(
  "months of nights",
  days.map((dt, place) => [idOfDay(dt), feedOf(dt, place)])
)

/** A home of nights in three months. */
export class MonthsOfNights extends Context.Service<
  MonthsOfNights,
  { readonly root: string; readonly saved: string }
>()("cardlake/test/MonthsOfNights") {
  static readonly layer = Layer.effect(MonthsOfNights, made)
}

/** Runs with the home and an empty folder to export to. What it changes of the home is undone afterwards. */
export const inMonths = <A, E, R>(
  run: (folder: string) => Effect.Effect<A, E, R>,
  settings: Readonly<Record<string, string>> = {}
) =>
  Effect.gen(function* () {
    const home = yield* MonthsOfNights
    yield* restored(home)
    const memo = yield* Layer.makeMemoMap
    const services = yield* Layer.buildWithMemoMap(servicesOf(home.root, settings), memo, yield* Effect.scope)
    return yield* Effect.provideContext(run(yield* temporaryFolder), services)
  })

type Services = Layer.Success<ReturnType<typeof servicesOf>> | MonthsOfNights

type Define = (name: string, body: FolderBody<Services>) => void
type MonthsTest = Test<MonthsOfNights> & { readonly copy: Define & { readonly full: Define } }

/** Tests that have the months of nights, and an empty folder. */
export const months = (name: string, define: (test: MonthsTest) => void) =>
  suite(MonthsOfNights.layer, name, (test) => {
    const inCopy =
      (test: Test<MonthsOfNights>["full"]): Define =>
      (name, body) =>
        test(name, () => Effect.scoped(inMonths((folder) => Effect.gen(() => body(folder)))))
    define(Object.assign(test, { copy: Object.assign(inCopy(test), { full: inCopy(test.full) }) }))
  })
