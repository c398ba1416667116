import { lookup, type LookupAddress } from "node:dns"
import type { LookupFunction } from "node:net"
import { callbackify, promisify } from "node:util"
import { Context } from "effect"
import { isPublicAddress } from "../../guard/linkFault.ts"

const addresses = promisify(lookup)

/** Returns the addresses of a host name, as this machine resolves it. */
export const HostAddresses = Context.Reference<(name: string) => Promise<ReadonlyArray<LookupAddress>>>(
  "cardlake/client/HostAddresses",
  { defaultValue: () => (name) => addresses(name, { all: true }) }
)

/**
 * The names that links lead to. `isPublic` looks a name up and checks its addresses; `lookup` connects to the checked
 * addresses and never looks the name up again, since it may stand for others by then. `own` names are not checked.
 */
export const linkNames = (
  addressesOf: (name: string) => Promise<ReadonlyArray<LookupAddress>>,
  own: ReadonlySet<string>
) => {
  const checked = new Map<string, ReadonlyArray<LookupAddress>>()
  /** True for a name that is not known here, too: a proxy may know it. */
  const isPublic = async (name: string): Promise<boolean> => {
    const found = await addressesOf(name).catch(() => [])
    const all = found.every(({ address }) => isPublicAddress(address))
    checked.set(name, all ? found : [])
    return all
  }
  const find = callbackify(async (host: string) => {
    const name = host.replace(/\.$/, "")
    const [first, ...others] = checked.get(name) ?? (own.has(name) ? await addressesOf(name) : [])
    if (first !== undefined) return [first, ...others] as const
    throw Object.assign(new Error(`${name} has no address`), { code: "ENOTFOUND" })
  })
  const connect: LookupFunction = (host, { all }, callback) =>
    find(host, (cause, found) => {
      if (cause !== null) callback(cause, "")
      else if (all === true) callback(null, [...found])
      else callback(null, found[0].address, found[0].family)
    })
  return { isPublic, lookup: connect }
}
