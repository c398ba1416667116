// Generated from the contract by: node test/sdk/writeWire.ts

/** A feed file. `url` is asked for without the key until `urlExpiresAt`; `checksum` is the SHA-256 of the unpacked bytes, `sizeBytes` the size of the gzip file. */
export interface FeedFile {
  feedType: "catalog" | "expansions" | "prices"
  url: string
  /** ISO 8601, UTC. */
  urlExpiresAt: string
  checksum: string
  sizeBytes: number
  recordCount: number
  format: "ndjson"
  encoding: "gzip"
  /** ISO 8601, UTC. */
  lastRefreshedAt: string
  /** ISO 8601, UTC. */
  generatedAt: string
}

/** The feed files of a game; null: never built. */
export interface FeedFiles {
  catalog: FeedFile | null
  expansions: FeedFile | null
  prices: FeedFile | null
}
