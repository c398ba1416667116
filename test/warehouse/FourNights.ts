import { NodeServices } from "@effect/platform-node"
import { Context, Effect, type FileSystem, Layer } from "effect"
import { folderNamed, suite, type FolderBody, type Test } from "../support/suite.ts"
import { cpSync, mkdtempSync, rmSync, globSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { lakeServices } from "../../pipelines/settings/services.ts"
import { SnapshotId } from "../../src/feed/contract/Ids.ts"
import type { BucketSettings } from "../../src/store/home/bucket/openBucket.ts"
import type { IcebergSettings } from "../../src/warehouse/formats/iceberg/IcebergSettings.ts"
import { type Home, readCurrent } from "../../src/store/home/Home.ts"
import { lockHome } from "../../src/store/home/lock/lockHome.ts"
import { publish } from "../../src/store/lake/publish/publish.ts"
import { filledOnce } from "../filledOnce.ts"
import { type Lake, sqlText } from "../../src/store/lake/duckdb/Lake.ts"
import { card, expansion } from "../store/lake/invented.ts"
import { publishNights } from "./publishNights.ts"
import { exportDrop, type Exported, type ExportOptions, listSkipReasons } from "../../src/warehouse/exportDrop.ts"
import { copiedSampleHome } from "../store/lake/sampleHome.ts"

/** An empty folder that is deleted with the scope. */
export const temporaryFolder = folderNamed("cardlake [drop] {a,b} ")

/** An export of everything, unless a test says otherwise. */
export const exportTo = (to: string, more: Partial<ExportOptions> = {}) =>
  exportDrop({
    to,
    games: [],
    tables: [],
    span: { since: null, until: null, backfill: true },
    compression: "snappy",
    decimals: null,
    format: null,
    ...more
  })

/** What a night exports: only what is new since the drop's first day. */
export const asUsual = { span: { since: null, until: null, backfill: false } }

/** Why an export left tables alone. */
export const leftAlone = (to: string, more: Partial<ExportOptions>) =>
  Effect.map(exportTo(to, more), (exported) => listSkipReasons(exported).join("\n"))

/** What became of each partition that an export looked at, as `table day did`. */
export const didTo = ({ games }: Exported): ReadonlyArray<string> =>
  games.flatMap(({ partitions }) => partitions.map(({ did, dt, table }) => `${table} ${dt} ${did}`)).sort()

export interface ContractText {
  readonly table: string
  readonly key: ReadonlyArray<string>
  readonly columns: ReadonlyArray<{
    readonly name: string
    readonly type: string
    readonly fieldId: number
    readonly lakeColumn: string
    readonly comment: string
  }>
}

/** The contracts in a drop, by table. */
export const contractsIn = (folder: string): ReadonlyArray<ContractText> =>
  globSync("*/contract.json", { cwd: folder })
    .sort()
    .map((path) => JSON.parse(readFileSync(join(folder, path), "utf8")) as ContractText)

/** A copy of the four nights' drop. */
export const dropIn = (folder: string) =>
  Effect.map(FourNights, ({ drop }) => cpSync(drop, folder, { recursive: true }))

/** Files of a table, as a reader who only sees files finds them. */
export const filesOf = (folder: string, table: string): ReadonlyArray<string> =>
  globSync(`${table}/v=1/game=*/dt=*/*.parquet`, { cwd: folder })
    .sort()
    .map((path) => join(folder, path))

/** SQL of a table's rows in a drop. */
export const dropRows = (folder: string, table: string): string =>
  `from read_parquet([${filesOf(folder, table).map(sqlText).join(", ")}], hive_partitioning = false)`

/** Two nights of the sample game on one day, exported with decimals and as text. */
export class Dropped extends Context.Service<Dropped, { readonly folder: string; readonly asText: string }>()(
  "cardlake/test/Dropped"
) {
  static readonly layer = Layer.effect(
    Dropped,
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const asText = yield* temporaryFolder
      yield* exportTo(folder)
      yield* exportTo(asText, { decimals: "text" })
      return { folder, asText }
    })
  ).pipe(Layer.provideMerge(copiedSampleHome))
}

/** The nights 1 to 4 as ids and days; the first is 2026-05-01. */
export const nightId = (place: number) => SnapshotId.make(`2026050${place}T030000000Z-0000`)
export const dayOf = (place: number) => `2026-05-0${place}`

/** Every card's low is 10.25 on the first night and 1 more on each later one; each adds a card. */
const feedOf = (place: number) => ({
  completedAt: `${dayOf(place)}T03:00:00.000Z`,
  expansions: [expansion(71, { languages: ["en", "de"] })],
  products: Array.from({ length: place + 1 }, (_, index) =>
    card(index + 1, {
      pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low: 9.25 + place, marketValue: 10.25 } } }
    })
  )
})

/** Services of a home in this folder. */
export const servicesOf = (root: string, settings: Readonly<Record<string, string>> = {}) =>
  lakeServices({ CARDLAKE_HOME: root, ...settings }).pipe(Layer.provideMerge(NodeServices.layer))

/** Empty folders of these names that are removed when the process ends. */
const foldersNamed = (...names: ReadonlyArray<string>) => {
  const folders = names.map((name) => mkdtempSync(join(tmpdir(), `cardlake [${name}] {a,b} `)))
  process.once("exit", () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))
  return folders
}

/** A folder that is filled once for all processes of a run; elsewhere, for this process. */
const filled = <E, R>(name: string, fill: (folder: string) => Effect.Effect<unknown, E, R>) => {
  const [folder = ""] = process.env["TEST_MODE"] === undefined ? foldersNamed(name) : []
  return folder === "" ? filledOnce(name, fill) : Effect.as(fill(folder), folder)
}

/** A home with these nights and a copy of it for the test files of a process. The nights are loaded once for all processes. */
export const homeOnce = (name: string, nights: Parameters<typeof publishNights>[0]) =>
  Effect.runSync(
    Effect.cached(
      Effect.gen(function* () {
        const read = yield* filled(name, (folder) => publishNights(nights).pipe(Effect.provide(servicesOf(folder))))
        const [root = "", saved = ""] = foldersNamed("home", "saved")
        cpSync(read, root, { recursive: true })
        // A lake names its Parquet by path.
        const run = nights.at(-1)?.[0] ?? SnapshotId.make("none")
        const publishing = Effect.flatMap(Effect.all([readCurrent, lockHome("nightly", run)]), ([current, lock]) =>
          publish(run, current, lock)
        )
        yield* publishing.pipe(Effect.scoped, Effect.provide(servicesOf(root)))
        cpSync(root, saved, { recursive: true })
        return { read, root, saved }
      })
    )
  )

/** Undoes what a test changes of a home, in the same place: a lake that lies elsewhere would be built anew. */
export const restored = ({ root, saved }: { readonly root: string; readonly saved: string }) =>
  Effect.addFinalizer(() =>
    Effect.sync(() => {
      rmSync(root, { recursive: true })
      cpSync(saved, root, { recursive: true })
    })
  )

const homeOfFour = homeOnce(
  "four nights",
  [1, 2, 3, 4].map((place) => [nightId(place), feedOf(place)])
)
const made = Effect.runSync(
  Effect.cached(
    Effect.gen(function* () {
      const home = yield* homeOfFour
      const drop = yield* filled("four nights exported", (folder) =>
        exportTo(folder).pipe(Effect.provide(servicesOf(home.read)))
      )
      return { ...home, drop }
    })
  )
)

type Services = BucketSettings | IcebergSettings | Home | Lake | FileSystem.FileSystem

/** A home of four nights, one a day; a test that changes it takes a copy. */
export class FourNights extends Context.Service<
  FourNights,
  {
    readonly services: Context.Context<Services>
    readonly root: string
    readonly saved: string
    /** All of it, exported; not to be changed. */
    readonly drop: string
  }
>()("cardlake/test/FourNights") {
  static readonly layer = Layer.effect(
    FourNights,
    Effect.gen(function* () {
      const places = yield* made
      return { ...places, services: yield* Layer.build(servicesOf(places.root)) }
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

type DefineInHome = (name: string, body: FolderBody<Services | FourNights>) => void

/** Tests that have the four nights. */
interface FourNightsTest extends Test<FourNights> {
  /** The body has the home and an empty folder; it may change the home, which is as it was before the next test. */
  readonly copy: DefineInHome & { readonly full: DefineInHome }
  /** The body has the home, which it leaves as it is, and an empty folder. */
  readonly home: DefineInHome & { readonly full: DefineInHome }
}

export const fourNights = (name: string, define: (test: FourNightsTest) => void) =>
  suite(FourNights.layer, name, (test) => {
    const inHome =
      (test: Test<FourNights>["full"]): DefineInHome =>
      (name, body) =>
        test(name, function* () {
          const { services } = yield* FourNights
          const folder = yield* temporaryFolder
          yield* Effect.provideContext(
            Effect.gen(() => body(folder)),
            services
          )
        })
    const inCopy =
      (home: DefineInHome): DefineInHome =>
      (name, body) =>
        home(name, function* (folder) {
          yield* restored(yield* FourNights)
          yield* Effect.gen(() => body(folder))
        })
    const home = Object.assign(inHome(test), { full: inHome(test.full) })
    const copy = Object.assign(inCopy(home), { full: inCopy(home.full) })
    define(Object.assign(test, { home, copy }))
  })
