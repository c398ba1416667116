import { BlockList, isIP, isIPv6 } from "node:net"

/** Addresses of this machine, of private networks, and of none: nothing public is there. */
const inner = new BlockList()
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3]
] as const) {
  inner.addSubnet(net, bits, "ipv4")
}
for (const [net, bits] of [
  ["::", 127],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8]
] as const) {
  inner.addSubnet(net, bits, "ipv6")
}

/** Whether an IP address is of this machine or of a private network. */
export const isInnerAddress = (address: string): boolean => inner.check(address, isIPv6(address) ? "ipv6" : "ipv4")

const plainHost = ({ hostname }: URL): string => hostname.replace(/^\[(.+)\]$/, "$1").replace(/\.$/, "")
const innerName = /^localhost$|\.(?:localhost|local|internal|home\.arpa)$/i

const isLoopback = (url: URL): boolean => /^(?:localhost|127(?:\.\d+){3}|::1)$/i.test(plainHost(url))

/** Whether a link needs no look: it is where the marketplace itself is, or both are on this machine, as a sandbox is. */
export const isOwnLink = (link: URL, marketplace: URL): boolean =>
  /^https?:$/.test(link.protocol) &&
  (link.origin === marketplace.origin || (isLoopback(link) && isLoopback(marketplace)))

/** The name whose addresses are to be looked at before a link is followed; null: it is an address itself. */
export const nameOfLink = (link: URL): string | null => (isIP(plainHost(link)) === 0 ? plainHost(link) : null)

/**
 * Why an address that a service gives out must not be asked for: it could point at what only this machine can reach.
 * The one guard of such addresses; redirects come through it as well. Null: it may.
 */
export const linkFault = (link: URL, marketplace: URL): string | null => {
  if (isOwnLink(link, marketplace)) return null
  if (link.protocol !== "https:") return "it does not begin with https://"
  if (link.username !== "" || link.password !== "") return "it has a user or a password in it"
  const host = plainHost(link)
  const isInner = isIP(host) === 0 ? innerName.test(host) || !host.includes(".") : isInnerAddress(host)
  return isInner ? "it is an address of this machine or of a private network" : null
}
