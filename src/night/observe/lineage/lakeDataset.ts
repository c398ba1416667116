import { Effect } from "effect"
import { Home } from "../../../store/home/Home.ts"
import type { Dataset, DatasetFacts } from "./runEvent.ts"

/** Something below a bucket's address, named as OpenLineage names what lies in buckets. */
export const bucketDataset = (address: string, name: string, facts: DatasetFacts): Dataset => {
  const [, namespace = address, prefix = ""] = /^(s3:\/\/[^/]+)\/*(.*?)\/*$/.exec(address) ?? []
  return { namespace, name: prefix === "" ? name : `${prefix}/${name}`, ...facts }
}

/** A table of the lake: by its file, or by the address of a home in a bucket. */
export const lakeDataset = Effect.fnUntraced(function* (table: string, facts: DatasetFacts = {}) {
  const { lake, place } = yield* Home
  if (place.address !== null) return bucketDataset(place.address, table, facts)
  return { namespace: "file", name: `${lake}/${table}`, ...facts } satisfies Dataset
})
