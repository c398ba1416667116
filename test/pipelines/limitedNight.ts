import { Duration, Effect } from "effect"
import { examine } from "../../pipelines/lake/examine.ts"
import { RetryPolicy } from "../../src/feed/client/RetryPolicy.ts"
import type { Via } from "../../src/feed/contract/Via.ts"
import { slidingLimited } from "../feed/client/RateLimitedServer.ts"
import { listen, quickPolicy, sendJson } from "../feed/client/StrangeServer.ts"
import { marketplaceAndHome } from "./nights.ts"
import { syntheticCatalogue } from "../support/syntheticCatalogue.ts"

/**
 * A night of this many products where so many requests are answered within any minute, which lasts `minuteMillis`; and
 * what `doctor` had said that it would need. Downloads of feed files have no limit.
 */
export const limitedNight = Effect.fnUntraced(function* (
  products: number,
  limit: number,
  minuteMillis: number,
  via: Via = "pages"
) {
  let sandboxUrl = ""
  /** The sandbox behind a limit of its own. */
  const limitedTo = Effect.fnUntraced(function* (limited: ReturnType<typeof slidingLimited>) {
    const { settings } = yield* listen(({ body, headers, path, query }, response) => {
      const stated = limited.admit(response)
      if (stated === null) return
      const method = body === "" ? "GET" : "POST"
      const sent = { authorization: String(headers["authorization"]), "content-type": "application/json" }
      void fetch(`${sandboxUrl}${path}?${query}`, { method, headers: sent, ...(body === "" ? {} : { body }) })
        .then((answer) => answer.json())
        .then((answer) => sendJson(response, answer, 200, stated))
    })
    return settings.CARDLAKE_URL
  })
  const ofNight = slidingLimited(limit, { millis: minuteMillis })
  const { home, night, sandbox } = yield* marketplaceAndHome(
    { catalogue: { games: syntheticCatalogue(products, 1) } },
    { CARDLAKE_URL: yield* limitedTo(ofNight), CARDLAKE_VIA: via }
  )
  sandboxUrl = sandbox.url
  const ofDoctor = yield* limitedTo(slidingLimited(limit, { millis: minuteMillis }))
  const settings = { CARDLAKE_URL: ofDoctor, CARDLAKE_API_KEY: sandbox.key, CARDLAKE_HOME: home, CARDLAKE_VIA: via }
  const policy = { ...quickPolicy, timeoutMillis: 30_000, maxRateWaitMillis: 600_000, minuteMillis }
  return yield* Effect.gen(function* () {
    const findings = yield* examine(settings, Duration.hours(36))
    const report = yield* night()
    const { arrivedMillis, counts } = ofNight
    const seconds = ((arrivedMillis.at(-1) ?? 0) - (arrivedMillis[0] ?? 0)) / 1000
    return { arrivedMillis, counts, expected: findings.find(({ name }) => name === "limits")?.night, report, seconds }
  }).pipe(Effect.provideService(RetryPolicy, policy))
})
