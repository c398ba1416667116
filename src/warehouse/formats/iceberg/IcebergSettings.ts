import { Config, Context, Effect, Layer, Redacted } from "effect"
import { Fault } from "../../../feed/contract/Fault.ts"
import { webAddressFault } from "../../../feed/contract/SettingInvalid.ts"

/**
 * The REST catalogue for new Iceberg tables. Reads `ICEBERG_REST_URL` (none = tables in files alone),
 * `ICEBERG_REST_TOKEN`, `ICEBERG_REST_WAREHOUSE` and `ICEBERG_NAMESPACE`.
 */
export class IcebergSettings extends Context.Service<
  IcebergSettings,
  {
    /** The URL without a trailing slash; null = no catalogue. */
    readonly url: string | null
    readonly token: Redacted.Redacted | null
    readonly warehouse: string | null
    readonly namespace: string
  }
>()("cardlake/export/IcebergSettings") {
  static readonly layer = Layer.effect(
    IcebergSettings,
    Effect.gen(function* () {
      const text = (name: string) => Config.String(name).pipe(Config.withDefault(""))
      const orNull = (value: string) => (value === "" ? null : value)
      const token = (yield* text("ICEBERG_REST_TOKEN")).trim()
      return IcebergSettings.of({
        url: orNull((yield* text("ICEBERG_REST_URL")).trim().replace(/\/+$/, "")),
        token: token === "" ? null : Redacted.make(token),
        warehouse: orNull(yield* text("ICEBERG_REST_WAREHOUSE")),
        namespace: orNull(yield* text("ICEBERG_NAMESPACE")) ?? "cardlake"
      })
    })
  )
}

/** Reads the catalogue for new tables. The export stores its address, which therefore must not contain a password. */
export const catalogueSet = Effect.gen(function* () {
  const { namespace, url } = yield* IcebergSettings
  if (url === null) return {}
  const fault = webAddressFault(url)
  if (fault === null) return { catalogue: url, namespace }
  return yield* new Fault(
    "ExportRefused",
    `ICEBERG_REST_URL ${fault}. Set it as https://catalogue.example/path, and a token in ICEBERG_REST_TOKEN`
  )
})
