import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { MarketplaceApi } from "../../../src/market/contract/MarketplaceApi.ts"
import type { Operations } from "../../../src/market/sdk/client.ts"

type Groups = typeof MarketplaceApi extends HttpApi.HttpApi<infer _, infer Group> ? Group : never

/** By its id, what an operation answers as the contract's schemas say, without the way over OpenAPI. */
type Contract = UnionToIntersection<
  Groups extends infer Group
    ? Group extends HttpApiGroup.Constraint
      ? HttpApiGroup.Endpoints<Group> extends infer Endpoint
        ? Endpoint extends HttpApiEndpoint.Constraint
          ? Record<`${Group["identifier"]}.${Endpoint["identifier"]}`, TypeOf<HttpApiEndpoint.Success<Endpoint>>>
          : never
        : never
      : never
    : never
>

type TypeOf<S> = S extends { readonly Type: infer Type } ? Type : never
type UnionToIntersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer All) => void
  ? All
  : never

/** A type without `readonly`, and with what may be absent as it is read. */
type Plain<A> =
  A extends ReadonlyArray<infer Item>
    ? Array<Plain<Item>>
    : A extends object
      ? { -readonly [Key in keyof A]: Plain<A[Key]> }
      : A

/** The operations whose two types are not the same. */
type Different = {
  [Id in keyof Operations]: Id extends keyof Contract
    ? [Plain<Contract[Id]>] extends [Plain<Operations[Id]["answer"]>]
      ? [Plain<Operations[Id]["answer"]>] extends [Plain<Contract[Id]>]
        ? never
        : Id
      : Id
    : Id
}[keyof Operations]

type Missing = Exclude<keyof Contract, keyof Operations>

/**
 * OpenAPI knows no constant `true`; the key of a changed item's id is computed from a dialect's words; the currency of
 * an account is open for nights, and for clients one that prices take.
 */
type Told = "account.me" | "feeds.changelog" | "inventory.deleteLine" | "labels.deleteLocation" | "labels.deleteTag"

// The type check is the test: what is named here is assignable to never only if there is nothing.
const nothing = <_ extends never>(): true => true
export const sameAnswers = nothing<Exclude<Different, Told>>() && nothing<Missing>()
