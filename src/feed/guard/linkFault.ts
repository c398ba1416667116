import { isIP } from "node:net"
import ipaddr from "ipaddr.js"

const range = (...nets: ReadonlyArray<string>) => nets.map((net) => ipaddr.IPv6.parseCIDR(net))

/** IPv6 ranges whose addresses embed IPv4 addresses: compatible, mapped and NAT64 in the last four bytes. */
const embedding = {
  last: range("::/96", "::ffff:0:0/96", "64:ff9b::/96"),
  sixToFour: range("2002::/16"),
  teredo: range("2001::/32")
}

/** All unicast addresses that were ever assigned. */
const assigned = ipaddr.IPv6.parseCIDR("2000::/3")

const isPublicIPv4 = (bytes: ReadonlyArray<number>): boolean => new ipaddr.IPv4([...bytes]).range() === "unicast"

const isPublicIPv6 = (address: ipaddr.IPv6): boolean => {
  const bytes = address.toByteArray()
  const last = bytes.slice(12)
  switch (ipaddr.subnetMatch(address, embedding, "none")) {
    case "last":
      return isPublicIPv4(last)
    case "sixToFour":
      return isPublicIPv4(bytes.slice(2, 6))
    case "teredo":
      // The server, and the client with its bits inverted. RFC 4380, section 4.
      return isPublicIPv4(bytes.slice(4, 8)) && isPublicIPv4(last.map((byte) => byte ^ 0xff))
    default:
      return address.match(assigned) && address.range() === "unicast"
  }
}

/** True if an IP address is a public unicast address. One that embeds IPv4 addresses is judged by these. */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  return address instanceof ipaddr.IPv6 ? isPublicIPv6(address) : isPublicIPv4(address.octets)
}

/** Ends the sentence about a link or a name that does not lead to a public address. */
export const notPublic = "a local, private or otherwise not public address"

const plainHost = ({ hostname }: URL): string => hostname.replace(/^\[(.+)\]$/, "$1").replace(/\.$/, "")
const innerName = /^localhost$|\.(?:localhost|local|internal|home\.arpa)$/i

const isLoopback = (url: URL): boolean => /^(?:localhost|127(?:\.\d+){3}|::1)$/i.test(plainHost(url))

/** True if a link needs no check: it has the marketplace's origin, or both are on this machine, as with a sandbox. */
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
  const isInner = isIP(host) === 0 ? innerName.test(host) || !host.includes(".") : !isPublicAddress(host)
  return isInner ? `it is ${notPublic}` : null
}
