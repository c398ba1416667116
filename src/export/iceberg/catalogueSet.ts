import { Effect } from "effect"
import { ExportRefused } from "../drop/ExportRefused.ts"
import { IcebergSettings } from "./IcebergSettings.ts"

/** The catalogue for new tables; the drop remembers its address, which may therefore not contain a password. */
export const catalogueSet = Effect.gen(function* () {
  const { namespace, url } = yield* IcebergSettings
  if (url === null) return {}
  const isAddress = /^https?:$/.test(URL.parse(url)?.protocol ?? "")
  if (isAddress && URL.parse(url)?.username === "") return { catalogue: url, namespace }
  const reason =
    "ICEBERG_REST_URL is not a web address, or it contains a user. Set it as https://catalogue.example/path"
  return yield* new ExportRefused({ reason })
})
