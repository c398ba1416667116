import type { MarketEvent } from "./wire.ts"

/** Headers of a request: those of `fetch`, or of `node:http`. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

export interface Delivery {
  readonly headers: WebhookHeaders
  /** The received body, byte for byte, before parsing. */
  readonly body: string | Uint8Array
  /** `whsec_` and Base64. During a rotation, several secrets are allowed. */
  readonly secret: string | ReadonlyArray<string>
  /** Maximum difference between the sender's clock and this one. Default: 300. */
  readonly toleranceSeconds?: number | undefined
  /** Current time. Default: the machine's clock. */
  readonly now?: Date | undefined
}

/** The request is not a recent delivery of the marketplace. Answer it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError"
}

const refuse = (why: string): never => {
  throw new WebhookVerificationError(`The webhook is refused: ${why}`)
}

const headerOf = (headers: WebhookHeaders, name: string): string | undefined => {
  if (typeof headers["get"] === "function") return headers["get"](name) ?? undefined
  const [, value] = Object.entries(headers).find(([each]) => each.toLowerCase() === name) ?? []
  return typeof value === "string" ? value : value?.[0]
}

/** Returns a signature header. The sender's own prefix may replace the standard's. Beyond the spec: section 14. */
const signedHeader = (headers: WebhookHeaders, name: string): string =>
  headerOf(headers, `webhook-${name}`) ??
  headerOf(headers, `svix-${name}`) ??
  refuse(`it has no header webhook-${name}`)

const decodeBase64 = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  } catch {
    return undefined
  }
}

const signKey = async (secret: string) => {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ""))
  if (bytes === undefined || bytes.length === 0)
    throw new TypeError("The secret is none of a webhook: `whsec_` and Base64")
  return await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"])
}

const checkTime = (timestamp: string, { now, toleranceSeconds = 300 }: Delivery): void => {
  if (!/^\d{1,12}$/.test(timestamp)) refuse("its timestamp is no number of seconds")
  const apartSeconds = Math.abs((now?.getTime() ?? Date.now()) / 1000 - Number(timestamp))
  if (apartSeconds > toleranceSeconds) refuse(`it was signed ${Math.round(apartSeconds)} seconds away from now`)
}

const parseEvent = (body: Uint8Array): MarketEvent => {
  const event: unknown = JSON.parse(new TextDecoder().decode(body))
  const isEvent = typeof event === "object" && event !== null && "type" in event && "eventId" in event
  return isEvent ? (event as MarketEvent) : refuse("its body is no event")
}

/**
 * Returns the event of a delivery if its signature is valid and recent, by Standard Webhooks. Fails with {@link
 * WebhookVerificationError}. An event may arrive twice, with one `eventId`. Beyond the spec: section 14.
 */
export const verifyWebhook = async (delivery: Delivery): Promise<MarketEvent> => {
  const { body, headers, secret } = delivery
  const raw = typeof body === "string" ? new TextEncoder().encode(body) : body
  if (!ArrayBuffer.isView(raw))
    throw new TypeError("`body` is not what came: give its text or bytes, not what was parsed")
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) => signedHeader(headers, name))
  checkTime(timestamp ?? "", delivery)
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + raw.length)
  signed.set(head)
  signed.set(raw, head.length)
  for (const each of typeof secret === "string" ? [secret] : secret) {
    const key = await signKey(each)
    for (const signature of (signatures ?? "").split(" ")) {
      const bytes = signature.startsWith("v1,") ? decodeBase64(signature.slice("v1,".length)) : undefined
      // `verify` compares in constant time.
      if (bytes !== undefined && (await crypto.subtle.verify("HMAC", key, bytes, signed))) return parseEvent(raw)
    }
  }
  return refuse("no signature of it is right")
}
