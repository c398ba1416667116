import { diskHere } from "../../src/feed/disk/Disk.ts"
import { Config, ConfigProvider, Effect, Layer, Option } from "effect"
import { Fault } from "../../src/feed/contract/Fault.ts"
import { HoldBounds } from "../../src/store/diff/judge.ts"
import { BucketSettings } from "../../src/store/home/bucket/openBucket.ts"
import { IcebergSettings } from "../../src/warehouse/formats/iceberg/IcebergSettings.ts"
import { privateFolder } from "../../src/store/home/disk.ts"
import { Home, homeIn } from "../../src/store/home/Home.ts"
import { Lake } from "../../src/store/lake/duckdb/Lake.ts"
import type { PlaceInBucket } from "../../src/store/home/bucket/workInBucket.ts"
import { settingsProvider } from "./settingsProvider.ts"

/** True in the installed package, whose code is bundled; the checkout runs TypeScript. */
export const isInstalled = !import.meta.filename.endsWith(".ts")

/** Builds services for an effect, and releases them with its scope. */
export const withServices =
  <S, E2, R2>(services: Layer.Layer<S, E2, R2>) =>
  <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Layer.build(services), (built) => Effect.provideContext(work, built))

export const config = (flags: Record<string, string>) => ConfigProvider.layer(settingsProvider(flags))

/** The home. A checkout, or a folder used like one, has a default; elsewhere the home must be set. */
const namedHome = (place?: PlaceInBucket) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const named = yield* Config.option(Config.String("CARDLAKE_HOME"))
      if (isInstalled && Option.isNone(named) && !diskHere().exists("data/lake"))
        return yield* new Fault(
          "HomeUnnamed",
          `No lake configured in ${process.cwd()}. Run: cardlake init FOLDER; or pass --home DIR`
        )
      return Home.layerAt(place)
    })
  )

/** The lake in its home. `place` is the home's folder in a bucket. */
const lakeIn = (place?: PlaceInBucket) => Lake.layer.pipe(Layer.provideMerge(namedHome(place)))

const besideLake = Layer.mergeAll(HoldBounds.layer, BucketSettings.layer, IcebergSettings.layer)

export const bucketServices = (flags: Record<string, string>) => BucketSettings.layer.pipe(Layer.provide(config(flags)))

/** The home alone, for commands that need only its files. */
export const homeService = (flags: Record<string, string>, place?: PlaceInBucket) =>
  Home.layerAt(place).pipe(Layer.provide(config(flags)))

/** The home and its lake, without other settings. */
export const homeServices = (flags: Record<string, string>, place?: PlaceInBucket) =>
  lakeIn(place).pipe(Layer.provide(config(flags)))

/** The lake in its home with its limits, for commands that do not call the marketplace. */
export const lakeServices = (flags: Record<string, string>, place?: PlaceInBucket) =>
  Layer.merge(lakeIn(place), besideLake).pipe(Layer.provide(config(flags)))

/** The services of commands that can work without a lake and a home, e.g. DuckDB on files or an existing drop. */
export const lakeServicesIfAny = (flags: Record<string, string>) =>
  Layer.merge(Lake.layer.pipe(Layer.provideMerge(Home.layer)), besideLake).pipe(Layer.provide(config(flags)))

/** A DuckDB with its own folder, to validate a few records beside the lake. */
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
