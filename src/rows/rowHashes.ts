import type { Dialect } from "../contract/dialects.ts"
import { tableNamed } from "../schema/snapshotTables.ts"
import { expansionHash } from "./expansionHash.ts"
import { catalogHash, expansionLineHash } from "./lineHashes.ts"
import { productHash } from "./productHash.ts"
import { rowHasher } from "./rowHash.ts"

/**
 * What hashes the records of each list, as all nights did until contract version 5. It is loaded only to repair such a
 * night, and to tell whether a record that the changelog calls modified is worded otherwise.
 */
export const rowHashes = (dialect: Dialect) => {
  const products = tableNamed("products").columns
  const expansions = tableNamed("expansions").columns
  return {
    products: rowHasher(products, productHash(dialect)),
    catalog: rowHasher(products, catalogHash(dialect)),
    expansions: rowHasher(expansions, expansionHash),
    feedExpansions: rowHasher(expansions, expansionLineHash)
  }
}

export type RowHashes = typeof rowHashes
