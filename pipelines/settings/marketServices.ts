import { Effect, Layer } from "effect"
import { FeedStorage } from "../../src/feed/client/FeedStorage.ts"
import { Marketplace, type MarketplaceUse } from "../../src/feed/client/Marketplace.ts"
import { ServiceProbe } from "../../src/feed/client/ServiceProbe.ts"
import { SettingInvalid } from "../../src/feed/contract/SettingInvalid.ts"
import { watchedMarketplace } from "../../src/night/observe/watchMarketplace.ts"
import { NightBound, ViaSetting } from "../../src/night/run/NightSettings.ts"
import type { PlaceInBucket } from "../../src/store/home/bucket/workInBucket.ts"
import { config, lakeServices } from "./services.ts"

/** Reports an invalid address of a flag with the flag's name. */
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

/** The marketplace, its dialect and the source of its data, without a lake. */
export const marketplaceServices = (flags: Record<string, string>, use: MarketplaceUse = {}) =>
  Layer.mergeAll(Marketplace.layerOf(use), ViaSetting.layer).pipe(Layer.provide(config(flags)), sayingFlag(flags))

/** The marketplace's unchanged answers, and the addresses of its files. */
export const captureServices = (flags: Record<string, string>) =>
  Layer.merge(ServiceProbe.layer, FeedStorage.layer).pipe(Layer.provide(config(flags)), sayingFlag(flags))

export const allServices = (flags: Record<string, string>, place?: PlaceInBucket) =>
  Layer.mergeAll(
    watchedMarketplace(place),
    FeedStorage.layer,
    NightBound.layer,
    ViaSetting.layer,
    lakeServices(flags, place)
  ).pipe(Layer.provide(config(flags)), sayingFlag(flags))
