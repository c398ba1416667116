import type { Signal } from "./ClientOptions.ts"

/** Fails with the reason of a signal that was aborted. */
export const throwIfAborted = (signal: Signal | undefined): void => {
  if (signal?.aborted === true) throw signal.reason
}

/** Waits, unless the signal ends it. */
export const sleep = async (millis: number, signal: Signal | undefined): Promise<void> => {
  throwIfAborted(signal)
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", end)
      resolve()
    }
    const timer = setTimeout(end, millis)
    signal?.addEventListener("abort", end)
  })
  throwIfAborted(signal)
}
