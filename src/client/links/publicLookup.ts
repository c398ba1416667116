import { lookup, type LookupAddress } from "node:dns"
import type { LookupFunction } from "node:net"
import { callbackify, promisify } from "node:util"
import { Context } from "effect"
import { isInnerAddress } from "../../guard/linkFault.ts"

const addresses = promisify(lookup)

/** What a name stands for, as this machine knows it. */
export const HostAddresses = Context.Reference<(name: string) => Promise<ReadonlyArray<LookupAddress>>>(
  "cardlake/client/HostAddresses",
  { defaultValue: () => (name) => addresses(name, { all: true }) }
)

/** A name stands for an address of this machine or of a private network. */
export const innerAddressCode = "INNER_ADDRESS"

/** Whether any of them is an address of this machine or of a private network. */
export const hasInner = (found: ReadonlyArray<LookupAddress>): boolean =>
  found.some(({ address }) => isInnerAddress(address))

/**
 * Names as a connection looks them up, once more than its link was looked at: meanwhile a name may have come to stand for
 * an inner address. `own` names may.
 */
export const publicLookup = (
  addressesOf: (name: string) => Promise<ReadonlyArray<LookupAddress>>,
  own: ReadonlySet<string>
): LookupFunction => {
  const find = callbackify(async (name: string) => {
    const found = await addressesOf(name)
    if (own.has(name) || !hasInner(found)) return found
    throw Object.assign(new Error(innerAddressCode), { code: innerAddressCode })
  })
  return (name, { all }, callback) =>
    find(name, (cause, found) => {
      const [first] = found ?? []
      if (cause !== null || first === undefined) callback(cause ?? new Error("no address"), "")
      else if (all === true) callback(null, [...found])
      else callback(null, first.address, first.family)
    })
}
