import * as Effect from "effect/Effect"
import type { DialectName } from "../../src/feed/contract/dialect/dialects.ts"
import { shownText } from "../../src/feed/contract/shownText.ts"
import type { FirstTraders, Trader } from "../../src/market/filling/fillMarket.ts"
import type { Sandbox } from "../../src/market/Sandbox.ts"

/** Formats a read command in two lines, because address and key fill a terminal line. */
const formatGet = (key: string, address: string) => `curl -H 'Authorization: Bearer ${key}' \\\n  '${address}'`

/** Formats a command that sends JSON. If it has several fields, each gets a line. */
const formatPost = (address: string, fields: ReadonlyArray<string>) => {
  const before = fields.length > 1 ? " \\\n " : ""
  return `curl ${address} \\\n  -H 'content-type: application/json'${before} -d '{${fields.join(",\n       ")}}'`
}

const field = (name: string, value: unknown) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`

const whoIs = (role: string, { accountId, key, username }: Trader) => [
  `${role} ${key}`,
  `         ${shownText(username)}, account ${accountId}`
]

/** Returns commands to try: the stock, a card on sale, the sale. */
const firstLines = (origin: string, { buyer, listingId, seller }: FirstTraders): ReadonlyArray<string> => {
  if (seller === undefined) return []
  const { key } = seller
  const items = [`"items": [{${field("listingId", listingId)}, "quantity": 1}]`]
  return [
    "Three lines to try: the seller's stock, a card that the buyer pays, the sale.",
    "",
    formatGet(key, `${origin}/v1/inventory?limit=2`),
    ...(buyer === undefined || listingId === undefined
      ? []
      : [formatPost(`${origin}/sandbox/checkout`, [field("buyerId", buyer.accountId), ...items])]),
    formatGet(key, `${origin}/v1/sales?limit=1`),
    ""
  ]
}

/** Returns the welcome text in 80 columns: address, keys, games, and commands to copy. */
export const sandboxWelcome = Effect.fnUntraced(function* (
  { url, origin, key, games, liveBlocks, traders }: Sandbox,
  { dialect, isMeant }: { readonly dialect: DialectName; readonly isMeant: boolean }
) {
  const served = yield* games
  const { blocks, contradicting } = yield* liveBlocks
  const first = yield* traders
  const { buyer, seller } = first
  const isKept = isMeant && buyer === undefined && seller === undefined
  return [
    `The sandbox marketplace listens at ${url}`,
    ...served.map(({ gameId, name, live, place, deployments }) =>
      shownText(`  ${gameId}  ${name}, ${live} is live (${place} of ${deployments})`)
    ),
    ...(contradicting === 0
      ? []
      : [`${contradicting} of ${blocks} live price blocks are inconsistent:`, "  their regions' totals count"]),
    "",
    `Key:     ${key}`,
    "         for the catalogue and the feeds",
    ...(seller === undefined ? [] : whoIs("Seller: ", seller)),
    ...(buyer === undefined ? [] : whoIs("Buyer:  ", buyer)),
    ...(isKept ? ["The accounts are from the folder; their keys were printed when they were created."] : []),
    "",
    ...firstLines(origin, first),
    ...(seller === undefined ? [`Read:    ${formatGet(key, `${origin}/v1/games`)}`] : []),
    `Deploy:  ${formatPost(`${origin}/sandbox/deploy`, [field("gameId", served[0]?.gameId ?? "")])}`,
    ...(dialect === "spec" ? [] : [`Dialect: ${formatPost(`${origin}/sandbox/dialect`, [field("dialect", "spec")])}`]),
    `Watch:   ${origin}/sandbox`,
    `Build:   ${origin}/docs describes every operation, and a first sale`,
    "Stop with Ctrl-C."
  ].join("\n")
})
