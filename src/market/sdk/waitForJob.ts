import { ApiError } from "./ApiError.ts"
import type { RequestOptions } from "./ClientOptions.ts"
import { sleep } from "./withRetries.ts"
import type { Job } from "./wire.ts"

export interface WaitOptions extends RequestOptions {
  /** How long to wait in all before it fails with `TIMEOUT`. Default: 600,000. */
  readonly maxWaitMillis?: number | undefined
  /** Called with what each look says. */
  readonly onProgress?: ((job: Job) => void) | undefined
}

const firstMillis = 500
const longestMillis = 10_000

/** Looks until the job has ended, less and less often: looks count against the rate limit. */
export const waitForJob = async (look: () => Promise<Job>, options: WaitOptions): Promise<Job> => {
  const { maxWaitMillis = 600_000, onProgress, signal } = options
  const begun = performance.now()
  for (let millis = firstMillis; ; millis = Math.min(millis * 1.5, longestMillis)) {
    const job = await look()
    onProgress?.(job)
    if (job.status === "completed" || job.status === "failed") return job
    if (performance.now() - begun + millis > maxWaitMillis) {
      const message = `the job is still ${job.status} after ${maxWaitMillis} ms`
      const path = `/v1/inventory/bulk/jobs/${job.id}`
      throw new ApiError({ code: "TIMEOUT", status: 0, message, data: {}, requestId: null, method: "GET", path })
    }
    await sleep(millis, signal)
  }
}
