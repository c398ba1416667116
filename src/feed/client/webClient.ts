import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { BlockList, isIP, isIPv6, type LookupFunction } from "node:net"
import { Config, Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { SettingInvalid } from "../contract/SettingInvalid.ts"

/** The maximum size of answers to data that this program sends, such as a report or telemetry. */
export const maxReceiptBytes = 64 * 1024

/** The maximum size of an answer's header lines: Node's default, whatever its flags are. */
const maxHeaderBytes = 16 * 1024

/** Returns a code for a failed request, without the request, which may contain a key. */
export const failureCode = (cause: unknown): string => {
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause
  if (!(inner instanceof Error)) return "no connection"
  return "code" in inner ? String(inner.code) : inner.name
}

/** The hosts of this machine, which are never reached through a proxy. */
const thisMachine = "localhost,127.0.0.1,[::1]"

const variable = (name: string) => Config.String(name).pipe(Config.withDefault(""))
/** Returns a variable in lower or upper case. Lower case takes precedence, as in other programs. */
const either = Effect.fnUntraced(function* (name: string) {
  const lower = yield* variable(name.toLowerCase())
  return lower === "" ? yield* variable(name) : lower
})

const orMalformed = <A>(effect: Effect.Effect<A, Config.ConfigError | SettingInvalid>, name: string) =>
  Effect.catchTag(effect, "ConfigError", () => Effect.fail(new SettingInvalid({ name, what: "is malformed" })))

/** Returns the address of a proxy, whose `http://` is optional; empty if there is none. */
export const readProxy = Effect.fnUntraced(function* (name: string) {
  const text = (yield* either(name)).trim()
  const address = text === "" || text.includes("://") ? text : `http://${text}`
  if (
    address === "" ||
    (/^https?:\/\/.*$/i.test(address) && URL.canParse(address) && !/%(?![\da-f]{2})/i.test(address))
  )
    return address
  return yield* new SettingInvalid({
    name,
    what: "is not an address that begins with http:// or https://, with % in its password as %25"
  })
}, orMalformed)

/** Adds a range of addresses, such as 10.0.0.0/8, or one IPv6 address in any notation. Throws if it is invalid. */
const addRange = (ranges: BlockList, entry: string): void => {
  const [net = "", bits = "128"] = entry.replaceAll(/[[\]]/g, "").split("/")
  if (!/^\d+$/.test(bits)) throw new RangeError("No length")
  ranges.addSubnet(net, Number(bits), isIPv6(net) ? "ipv6" : "ipv4")
}

/** True for the entries that undici supports: a name, `*` or an address, each with or without a port. */
const isHost = (entry: string): boolean => {
  const host = entry.replace(/:\d+$/, "").replace(/^\[(.+)\]$/, "$1")
  if (/^[\d.]+$/.test(host) || host.includes(":")) return isIP(host) !== 0 && !isIPv6(entry.replaceAll(/[[\]]/g, ""))
  return /^(?:\*|(?:\*?\.)?[\w-]+(?:\.[\w-]+)*\.?)$/.test(host)
}

/** Parses `NO_PROXY` into names for undici, and ranges of addresses, which undici lacks. Empty without a proxy. */
export const noProxy = orMalformed(
  Effect.gen(function* () {
    const hasProxy = `${yield* either("HTTP_PROXY")}${yield* either("HTTPS_PROXY")}`.trim() !== ""
    const entries = hasProxy ? (yield* either("NO_PROXY")).split(/[,\s]+/).filter((entry) => entry !== "") : []
    const ranges = new BlockList()
    return yield* Effect.try({
      try: () => entries.filter((entry) => !isHost(entry)).forEach((entry) => addRange(ranges, entry)),
      catch: () =>
        new SettingInvalid({
          name: "NO_PROXY",
          what: "has an entry that is neither a host nor an address range. Write names without http://, and ranges as 10.0.0.0/8"
        })
    }).pipe(Effect.as({ names: [...entries, thisMachine].join(), ranges }))
  }),
  "NO_PROXY"
)

const isWithin = (ranges: BlockList, origin: string | URL | undefined): boolean => {
  const host = URL.parse(String(origin))?.hostname.replaceAll(/[[\]]/g, "") ?? ""
  return isIP(host) !== 0 && ranges.check(host, isIPv6(host) ? "ipv6" : "ipv4")
}

const untraced = (client: HttpClient.HttpClient): HttpClient.HttpClient =>
  HttpClient.transform(client, (send) => Effect.provideService(send, HttpClient.TracerPropagationEnabled, false))

/**
 * The HTTP client for all outgoing requests. It reads at most `maxBytes` of a body and sends no trace headers. It uses
 * `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, in either case. `lookup` resolves names where no proxy does.
 */
export const webClient = (maxBytes: number, lookup?: LookupFunction) =>
  // Built each time: Effect's layer is built once, with the first maximum.
  HttpClient.layerMergedContext(Effect.map(NodeHttpClient.makeUndici, untraced)).pipe(
    Layer.provide(
      Layer.effect(
        NodeHttpClient.Dispatcher,
        Effect.gen(function* () {
          const httpProxy = yield* readProxy("HTTP_PROXY")
          const httpsProxy = yield* readProxy("HTTPS_PROXY")
          const { names, ranges } = yield* noProxy
          const { Agent, EnvHttpProxyAgent, Pool } = yield* Effect.promise(() => import("@effect/platform-node/Undici"))
          const bounds = { maxResponseSize: maxBytes, maxHeaderSize: maxHeaderBytes }
          const connect = lookup === undefined ? {} : { connect: { lookup } }
          // The default factory omits these options when plain HTTP uses a proxy.
          const factory = (origin: string | URL, options: object) => new Pool(origin, { ...options, ...bounds })
          const proxies = {
            httpProxy,
            // It is empty, not missing: otherwise undici would read the environment.
            httpsProxy: httpsProxy === "" ? httpProxy : httpsProxy,
            noProxy: names
          }
          const open = <A extends { readonly destroy: () => Promise<void> }>(agent: () => A) =>
            Effect.acquireRelease(Effect.sync(agent), (agent) => Effect.promise(() => agent.destroy()))
          const direct = yield* open(() => new Agent({ ...bounds, ...connect }))
          if (httpProxy === "" && httpsProxy === "") return direct
          const proxied = yield* open(() => new EnvHttpProxyAgent({ ...proxies, ...bounds, ...connect, factory }))
          return proxied.compose(
            (dispatch) => (options, handler) =>
              isWithin(ranges, options.origin) ? direct.dispatch(options, handler) : dispatch(options, handler)
          )
        })
      )
    )
  )
