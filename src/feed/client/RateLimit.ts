/** What a request is for: its kind, such as `products`, and its game, null if it is about none. */
export interface Asker {
  readonly operation: string
  readonly game: string | null
}

/** What the service has said about its limits; null until it has. Beyond the spec: section 3. */
export interface RateLimit {
  readonly bucket: string
  readonly limit: number | null
  readonly remaining: number | null
}

/** When something was sent, and how long a minute is. */
export interface Moment {
  readonly sentMillis: number
  readonly nowMillis: number
  readonly minuteMillis: number
}
