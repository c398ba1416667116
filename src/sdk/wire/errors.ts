// Generated from the contract by: node test/sdk/writeWire.ts

/** By code, what the marketplace says beside it. */
export interface ErrorData {
  ALREADY_LISTED: {
    inventoryId: string
  }
  AMOUNT_TOO_HIGH: {
    maxAllowed: number
  }
  API_ACCESS_DISABLED: Record<string, unknown>
  BAD_GATEWAY: Record<string, unknown>
  BAD_REQUEST: {
    field?: string
  }
  CONFLICT: {
    customId?: string
    name?: string
  }
  CURRENCY_MISMATCH: {
    provided: string
    expected: string
  }
  EXPANSION_NOT_FOUND: {
    gameId?: string
    productId?: number
    expansionId?: number
    inventoryId?: string
    jobId?: string
    orderNumber?: string
    listingId?: string
    name?: string
  }
  FEED_NOT_GENERATED: {
    gameId: string
  }
  FORBIDDEN: {
    required: Array<string>
    granted: Array<string>
  }
  GAME_NOT_FOUND: {
    gameId?: string
    productId?: number
    expansionId?: number
    inventoryId?: string
    jobId?: string
    orderNumber?: string
    listingId?: string
    name?: string
  } | {
    gameId: string
  }
  IDEMPOTENCY_KEY_REUSED: {
    request: string
  }
  INSUFFICIENT_QUANTITY: {
    inventoryId: string
    available: number
    requested: number
  }
  INTERNAL_SERVER_ERROR: Record<string, unknown>
  INVALID_COUNT: Record<string, unknown>
  INVALID_FINISH: {
    finish: string
    allowed: Array<string>
  }
  INVALID_LANGUAGE: {
    language: string | null
    allowed: Array<string>
  }
  INVALID_STATUS: {
    status?: string
  }
  INVALID_TRANSITION: {
    from: string
    to: string
  }
  LOCATION_NOT_FOUND: {
    name: string
  }
  METADATA_LIMIT_EXCEEDED: Record<string, unknown>
  NOT_A_SELLER: Record<string, unknown>
  NOT_FOUND: {
    gameId?: string
    productId?: number
    expansionId?: number
    inventoryId?: string
    jobId?: string
    orderNumber?: string
    listingId?: string
    name?: string
  }
  PAYLOAD_TOO_LARGE: {
    maxBytes: number
    receivedBytes: number
  }
  PHOTO_NOT_FOUND: {
    url: string
  }
  PRODUCT_NOT_FOUND: {
    gameId?: string
    productId?: number
    expansionId?: number
    inventoryId?: string
    jobId?: string
    orderNumber?: string
    listingId?: string
    name?: string
  }
  REFUND_IN_PROGRESS: Record<string, unknown>
  SELLER_ACCOUNT_NOT_ACTIVE: Record<string, unknown>
  SERVICE_UNAVAILABLE: Record<string, unknown>
  SHIPPING_MANAGED_BY_MARKETPLACE: Record<string, unknown>
  TAG_NOT_FOUND: {
    name: string
  }
  TOO_MANY_REQUESTS: {
    bucket: string
    limit: number
    retryAfter: number
  }
  TRACKING_NUMBER_REQUIRED: Record<string, unknown>
  TRACKING_REGISTRATION_FAILED: Record<string, unknown>
  UNAUTHORIZED: Record<string, unknown>
  UNPROCESSABLE_FILE: {
    source: string
  }
  UNSUPPORTED_CONTENT_TYPE: {
    field?: string
  }
  WALLET_NOT_FOUND: Record<string, unknown>
}

/** What the marketplace refuses requests with. */
export type ErrorCode = keyof ErrorData
