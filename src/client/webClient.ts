import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import type { LookupFunction } from "node:net"
import { Config, Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { SettingInvalid } from "../contract/SettingInvalid.ts"

/** Answers to what is only sent, such as a report or telemetry, are cut off here. */
export const largestReceiptBytes = 64 * 1024

/** Total size of an answer's header lines; Node's own bound, whatever its flags say. */
const maxHeaderBytes = 16 * 1024

/** Requests to this machine go through no proxy. */
const thisMachine = "localhost,127.0.0.1,[::1]"

const variable = (name: string) => Config.String(name).pipe(Config.withDefault(""))
/** The lower case name goes first, as in other programs. */
const either = Effect.fnUntraced(function* (name: string) {
  const lower = yield* variable(name.toLowerCase())
  return lower === "" ? yield* variable(name) : lower
})

/** Address of a proxy; empty = none. */
export const proxyOf = Effect.fnUntraced(
  function* (name: string) {
    const address = (yield* either(name)).trim()
    if (address === "" || (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol))) return address
    return yield* new SettingInvalid({ name, what: "is not an address that begins with http:// or https://" })
  },
  (effect, name) =>
    Effect.catchTag(effect, "ConfigError", () => Effect.fail(new SettingInvalid({ name, what: "is malformed" })))
)

const untraced = (client: HttpClient.HttpClient): HttpClient.HttpClient =>
  HttpClient.transform(client, (send) => Effect.provideService(send, HttpClient.TracerPropagationEnabled, false))

/**
 * The only way out of this program: reads at most `maxBytes` of a body and sends no trace headers.
 * `lookup`: how names are looked up where no proxy does it, also those of `NO_PROXY`. Uses the proxies of `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, in upper or lower case.
 */
export const webClient = (maxBytes: number, lookup?: LookupFunction) =>
  // Made each time: Effect's own layer is built once, with the first bound.
  HttpClient.layerMergedContext(Effect.map(NodeHttpClient.makeUndici, untraced)).pipe(
    Layer.provide(
      Layer.effect(
        NodeHttpClient.Dispatcher,
        Effect.gen(function* () {
          const httpProxy = yield* proxyOf("HTTP_PROXY")
          const httpsProxy = yield* proxyOf("HTTPS_PROXY")
          const noProxy = `${yield* Effect.orElseSucceed(either("NO_PROXY"), () => "")},${thisMachine}`
          const { Agent, EnvHttpProxyAgent, Pool } = yield* Effect.promise(() => import("@effect/platform-node/Undici"))
          const bounds = { maxResponseSize: maxBytes, maxHeaderSize: maxHeaderBytes }
          const connect = lookup === undefined ? {} : { connect: { lookup } }
          // Its own factory forgets the bounds when plain HTTP goes through a proxy.
          const factory = (origin: string | URL, options: object) => new Pool(origin, { ...options, ...bounds })
          const proxies = {
            httpProxy,
            // Empty, not missing: undici would look into the environment itself.
            httpsProxy: httpsProxy === "" ? httpProxy : httpsProxy,
            noProxy
          }
          return yield* Effect.acquireRelease(
            Effect.sync(() =>
              httpProxy === "" && httpsProxy === ""
                ? new Agent({ ...bounds, ...connect })
                : new EnvHttpProxyAgent({ ...proxies, ...bounds, ...connect, factory })
            ),
            (agent) => Effect.promise(() => agent.destroy())
          )
        })
      )
    )
  )
