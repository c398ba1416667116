import { createHmac, timingSafeEqual } from "node:crypto"
import type { Store } from "../state/State.ts"

/** Why object storage does not give a file out. */
export type LinkFault = "expired" | "forged"

/**
 * Signs links to paths until an instant, and checks them. A
 * link lasts as long as the state, if it does not end before.
 */
export interface SignedLinks {
  readonly sign: (path: string, expiresAtMillis: number) => string
  readonly faultOf: (path: string, query: URLSearchParams, nowMillis: number) => LinkFault | undefined
}

export const makeSignedLinks = (store: Store): SignedLinks => {
  const secret = store.one<{ secret: string }>("select secret from link_secret")?.secret
  if (secret === undefined) throw new Error("The state has no secret to sign links with")
  const signatureOf = (path: string, expires: string) =>
    createHmac("sha256", secret).update(`${path}\n${expires}`).digest("hex")
  const isSame = (wanted: string, given: string) => {
    const [a, b] = [Buffer.from(wanted), Buffer.from(given)]
    return a.length === b.length && timingSafeEqual(a, b)
  }
  return {
    sign: (path, expiresAtMillis) =>
      `${path}?expires=${expiresAtMillis}&signature=${signatureOf(path, String(expiresAtMillis))}`,
    faultOf: (path, query, nowMillis) => {
      const expires = query.get("expires") ?? ""
      if (!isSame(signatureOf(path, expires), query.get("signature") ?? "")) return "forged"
      return Number(expires) <= nowMillis ? "expired" : undefined
    }
  }
}
