/** `name` or `name:port`; nothing else that an address could have. */
const host = /^(?:\[[\da-f:.]+\]|[^\s:/?#@\\[\]%*,]+)(?::\d{1,5})?$/i

/**
 * The name in a `Host` header as browsers write it, without port and final dot: lower case, `[::1]`, `xn--` for letters
 * beyond ASCII. Undefined for what is not a host.
 */
export const hostName = (text: string): string | undefined =>
  host.test(text) ? URL.parse(`http://${text}`)?.hostname.replace(/\.$/, "") : undefined
