import { Config, ConfigProvider, Effect } from "effect"
import { webAddressFault } from "../../feed/contract/SettingInvalid.ts"

const text = (name: string) =>
  Config.String(name).pipe(
    Config.withDefault(""),
    Config.map((value) => value.trim())
  )

/** Parses `name=value,name=value`. The standard allows blanks around names and values. */
const parseHeaders = (list: string): ReadonlyArray<readonly [string, string]> =>
  list
    .split(",")
    .filter((entry) => entry.trim() !== "")
    .map((entry) => {
      const [name = ""] = entry.split("=", 1)
      return [name.trim(), entry.slice(name.length + 1).trim()]
    })

const decoded = (value: string): string => {
  try {
    return decodeURIComponent(value)
  } catch {
    return "\0"
  }
}

/** True if HTTP can send the headers after `%XX` is decoded. */
const areSendable = (list: string): boolean =>
  parseHeaders(list).every(
    ([name, value]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\xa0-\xff]+$/.test(decoded(value))
  )

/** Explains why a variable's value is invalid, with a correct one; null if it is valid. */
type Fault = (value: string) => string | null

const unless =
  (isRight: RegExp | ((value: string) => boolean), otherwise: string): Fault =>
  (value) =>
    (isRight instanceof RegExp ? isRight.test(value) : isRight(value)) ? null : otherwise

const signals = ["TRACES", "METRICS", "LOGS"]
const anySignal = ["", ...signals.map((signal) => `${signal}_`)]
const notRead = unless(
  () => false,
  "is not supported. Leave it out, and set NODE_EXTRA_CA_CERTS to the CA of the certificate"
)
const isWhole = unless(/^\d{1,9}$/, "is not a whole number")

/** Checks by suffix of the variable's name. The name may contain a signal before it. */
const exporterChecks: Readonly<Record<string, Fault>> = {
  ENDPOINT: webAddressFault,
  HEADERS: unless(areSendable, "has an invalid header. Write name=value,name=value, and % as %25"),
  COMPRESSION: unless(/^(gzip|none)$/, "is neither gzip nor none"),
  PROTOCOL: unless(
    /^http\/(json|protobuf)$/,
    "is neither http/json nor http/protobuf, which collectors accept at port 4318"
  ),
  TIMEOUT: isWhole,
  CERTIFICATE: notRead,
  CLIENT_CERTIFICATE: notRead,
  CLIENT_KEY: notRead
}

const faults: Readonly<Record<string, Fault>> = {
  ...Object.fromEntries(
    Object.entries(exporterChecks).flatMap(([end, fault]) =>
      anySignal.map((signal) => [`OTEL_EXPORTER_OTLP_${signal}${end}`, fault] as const)
    )
  ),
  ...Object.fromEntries(
    signals.map((signal) => [`OTEL_${signal}_EXPORTER`, unless(/\b(otlp|none)\b/i, "is neither otlp nor none")])
  ),
  OTEL_RESOURCE_ATTRIBUTES: unless(
    (value) => decoded(value) !== "\0" && /^(\s*[^=,\s][^=,]*=[^,]*(,|$)|\s*,)*$/.test(value),
    "has an invalid attribute. Write name=value,name=value, and % as %25"
  )
}

/** True if any address is set, so that telemetry is sent. */
export const hasEndpoint = Effect.map(
  Effect.forEach(anySignal, (signal) => text(`OTEL_EXPORTER_OTLP_${signal}ENDPOINT`)),
  (found) => found.some((value) => value !== "")
)

/** The fault of the first invalid variable; null if all are valid. The text does not repeat the value. */
export const otelFault = Effect.map(
  Effect.forEach(Object.entries(faults), ([name, fault]) =>
    Effect.map(text(name), (value) => {
      const what = value === "" ? null : fault(value)
      return what === null ? null : `${name} ${what}`
    })
  ),
  (found) => found.find((sentence) => sentence !== null) ?? null
)

/** Trims blanks around names and values of headers, which would be sent. */
export const withoutBlanks = (provider: ConfigProvider.ConfigProvider): ConfigProvider.ConfigProvider =>
  ConfigProvider.make((path) =>
    Effect.map(provider.load(path), (node) =>
      node?.value !== undefined && /^OTEL_EXPORTER_OTLP_(\w+_)?HEADERS$/.test(path.join("_"))
        ? ConfigProvider.makeValue(
            parseHeaders(node.value)
              .map((pair) => pair.join("="))
              .join()
          )
        : node
    )
  )
