import type { BucketStore } from "./BucketStore.ts"

/** The minimum size of an upload that may take long on a slow connection. */
const longBytes = 8 * 1024 * 1024

/**
 * Returns a store that retries idempotent requests while it is unreachable. Swaps are not retried, because the caller
 * reads the document again, which shows if a swap succeeded without an answer.
 */
export const patientStore = (store: BucketStore): BucketStore => {
  const { wait } = store.patience
  return {
    ...store,
    read: (path) => wait(store.read(path)),
    fetchText: (path, sha256) => wait(store.fetchText(path, sha256)),
    fetch: (path, to, sha256) => wait(store.fetch(path, to, sha256), true),
    first: (path, delimiter) => wait(store.first(path, delimiter)),
    list: (path, after) => wait(store.list(path, after)),
    create: (path, from, sizeBytes) => wait(store.create(path, from, sizeBytes), sizeBytes > longBytes)
  }
}
