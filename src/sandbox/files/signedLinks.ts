import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"

/** Why object storage does not give a file out. */
export type LinkFault = "expired" | "forged"

/** Signs links to paths until an instant, and checks them. A link ends with the sandbox that gave it. */
export interface SignedLinks {
  readonly sign: (path: string, expiresAtMillis: number) => string
  readonly faultOf: (path: string, query: URLSearchParams, nowMillis: number) => LinkFault | undefined
}

export const makeSignedLinks = (): SignedLinks => {
  const secret = randomBytes(32)
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
