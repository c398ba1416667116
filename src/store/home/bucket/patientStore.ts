import type { BucketStore } from "./BucketStore.ts"

/** More than this may take its time on a slow line. */
const longBytes = 8 * 1024 * 1024

/**
 * A store that is waited for while it is away, by whatever may be asked again as it is. Swaps are not: whoever swaps a
 * document reads it again, and sees whether an answer was lost.
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
