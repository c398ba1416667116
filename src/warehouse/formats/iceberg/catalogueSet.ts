import { Effect } from "effect"
import { webAddressFault } from "../../../feed/contract/SettingInvalid.ts"
import { ExportRefused } from "../../drop/ExportRefused.ts"
import { IcebergSettings } from "./IcebergSettings.ts"

/** The catalogue for new tables; the drop remembers its address, which may therefore not contain a password. */
export const catalogueSet = Effect.gen(function* () {
  const { namespace, url } = yield* IcebergSettings
  if (url === null) return {}
  const fault = webAddressFault(url)
  if (fault === null) return { catalogue: url, namespace }
  return yield* new ExportRefused({
    reason: `ICEBERG_REST_URL ${fault}. Set it as https://catalogue.example/path, and a token in ICEBERG_REST_TOKEN`
  })
})
