import { existsSync } from "node:fs"
import { Config, ConfigProvider, Effect, Layer, Option, Schema } from "effect"
import { Marketplace, type MarketplaceUse } from "../../src/feed/client/Marketplace.ts"
import { SettingInvalid } from "../../src/feed/contract/SettingInvalid.ts"
import { HoldBounds } from "../../src/store/diff/judge.ts"
import { BucketSettings } from "../../src/store/home/bucket/BucketSettings.ts"
import { IcebergSettings } from "../../src/warehouse/formats/iceberg/IcebergSettings.ts"
import { privateFolder } from "../../src/store/home/disk.ts"
import { Home, homeIn } from "../../src/store/home/Home.ts"
import { Lake } from "../../src/store/lake/duckdb/Lake.ts"
import type { PlaceInBucket } from "../../src/store/home/bucket/workInBucket.ts"
import { ViaSetting, NightBound } from "../../src/night/run/NightSettings.ts"
import { FeedStorage } from "../../src/feed/client/FeedStorage.ts"
import { ServiceProbe } from "../../src/feed/client/ServiceProbe.ts"
import { settingsProvider } from "./settingsProvider.ts"
import { watchedMarketplace } from "../../src/night/observe/watchMarketplace.ts"

/** Whether this is the installed package, whose code is bundled, and not the checkout, which runs its TypeScript. */
export const isInstalled = !import.meta.filename.endsWith(".ts")

/** Gives work services that are built for it, and released with its scope. */
export const withServices =
  <S, E2, R2>(services: Layer.Layer<S, E2, R2>) =>
  <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Layer.build(services), (built) => Effect.provideContext(work, built))

const config = (flags: Record<string, string>) => ConfigProvider.layer(settingsProvider(flags))

/** Nothing says where the lake is, and an installed program makes none in whatever folder it is started. */
export class HomeUnnamed extends Schema.TaggedError<HomeUnnamed>()("HomeUnnamed", { folder: Schema.String }) {
  override get message() {
    return `Nothing says where the lake is: ${this.folder} has no .env that does. Start this in a folder with one, make one with: cardlake init FOLDER; or name the lake with --home or CARDLAKE_HOME`
  }
}

/** The home. The checkout has one of its own, and so has a folder that was used like it; elsewhere it has to be named. */
const namedHome = (place?: PlaceInBucket) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const named = yield* Config.option(Config.String("CARDLAKE_HOME"))
      if (isInstalled && Option.isNone(named) && !existsSync("data/lake"))
        return yield* new HomeUnnamed({ folder: process.cwd() })
      return Home.layerAt(place)
    })
  )

/** The lake in its home; in the home of a bucket, `place`. */
const lakeIn = (place?: PlaceInBucket) => Lake.layer.pipe(Layer.provideMerge(namedHome(place)))

const besideLake = Layer.mergeAll(HoldBounds.layer, BucketSettings.layer, IcebergSettings.layer)

/** What a home in a bucket needs. */
export const bucketServices = (flags: Record<string, string>) => BucketSettings.layer.pipe(Layer.provide(config(flags)))

/** The home alone, for what needs only its files. */
export const homeService = (flags: Record<string, string>, place?: PlaceInBucket) =>
  Home.layerAt(place).pipe(Layer.provide(config(flags)))

/** The home and its lake, whatever else is set. */
export const homeServices = (flags: Record<string, string>, place?: PlaceInBucket) =>
  lakeIn(place).pipe(Layer.provide(config(flags)))

/** The lake in its home with its bounds, for commands that do not ask the marketplace. */
export const lakeServices = (flags: Record<string, string>, place?: PlaceInBucket) =>
  Layer.merge(lakeIn(place), besideLake).pipe(Layer.provide(config(flags)))

/** The same for what may do without a lake, so that no home needs to be named: DuckDB on files, a drop that is there. */
export const lakeServicesIfAny = (flags: Record<string, string>) =>
  Layer.merge(Lake.layer.pipe(Layer.provideMerge(Home.layer)), besideLake).pipe(Layer.provide(config(flags)))

/** A DuckDB with a folder of its own, to judge a few records beside the lake. */
export const judgeServices = (flags: Record<string, string>) =>
  Layer.merge(
    Lake.layer.pipe(
      Layer.provideMerge(
        Layer.effect(
          Home,
          Effect.map(privateFolder, (folder) => homeIn(folder))
        )
      )
    ),
    HoldBounds.layer
  ).pipe(Layer.provide(config(flags)))

/** An invalid address from a flag is reported as the flag's. */
export const ofFlag =
  (flags: Record<string, string>) =>
  <E>(error: E): E | SettingInvalid =>
    error instanceof SettingInvalid && error.name === "CARDLAKE_URL" && error.name in flags
      ? new SettingInvalid({ name: error.name, what: error.what, flag: "--url" })
      : error

const sayingFlag =
  (flags: Record<string, string>) =>
  <A, E, R>(services: Layer.Layer<A, E, R>) =>
    services.pipe(Layer.catch((error) => Layer.effectContext(Effect.fail(ofFlag(flags)(error)))))

/** The marketplace, the words and the way of reading to read it in, without a lake. */
export const marketplaceServices = (flags: Record<string, string>, use: MarketplaceUse = {}) =>
  Layer.mergeAll(Marketplace.layerOf(use), ViaSetting.layer).pipe(Layer.provide(config(flags)), sayingFlag(flags))

/** The marketplace as it answers, and where its files are. */
export const captureServices = (flags: Record<string, string>) =>
  Layer.merge(ServiceProbe.layer, FeedStorage.layer).pipe(Layer.provide(config(flags)), sayingFlag(flags))

/** The lake and the marketplace, for commands that read the feed. */
export const allServices = (flags: Record<string, string>, place?: PlaceInBucket) =>
  Layer.mergeAll(
    watchedMarketplace(place),
    FeedStorage.layer,
    NightBound.layer,
    ViaSetting.layer,
    lakeIn(place),
    besideLake
  ).pipe(Layer.provide(config(flags)), sayingFlag(flags))
