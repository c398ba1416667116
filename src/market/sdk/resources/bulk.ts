import type { Caller } from "../Caller.ts"
import type { RequestOptions } from "../ClientOptions.ts"
import type { Upload } from "../Upload.ts"
import type { BulkUpdate, ExportRequest, Job, Operations } from "../wire.ts"
import { ApiError } from "../ApiError.ts"
import { sleep } from "../withRetries.ts"

export interface WaitOptions extends RequestOptions {
  /** Maximum total wait before the call fails with `TIMEOUT`. Default: 600,000. */
  readonly maxWaitMillis?: number | undefined
  /** Called with the job after each poll. */
  readonly onProgress?: ((job: Job) => void) | undefined
}

const firstMillis = 500
const maxDelayMillis = 10_000

/** Polls until the job has ended, with increasing delays, because polls count against the rate limit. */
export const waitForJob = async (look: () => Promise<Job>, options: WaitOptions): Promise<Job> => {
  const { maxWaitMillis = 600_000, onProgress, signal } = options
  const begun = performance.now()
  for (let millis = firstMillis; ; millis = Math.min(millis * 1.5, maxDelayMillis)) {
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

/** Options of an imported file. */
export type ImportOptions = Omit<Operations["jobs.import"]["body"], "file">
export type PresetOptions = Omit<Operations["jobs.importPreset"]["body"], "file">
type Preset = Operations["jobs.importPreset"]["path"]["preset"]

/** Bulk operations. Exports and jobs need `inventory:read`, the rest `inventory:write`. */
export const bulk = ({ call }: Caller) => {
  const job = async (jobId: string, options?: RequestOptions): Promise<Job> =>
    (await call("jobs.job", { path: { jobId } }, options)).job
  return {
    /** Starts the import of a CSV or JSON file of lines; `replace` also sets all other lines to 0. */
    import: async (file: Upload, how: ImportOptions = {}, options?: RequestOptions): Promise<Job> =>
      (await call("jobs.import", { body: { ...how, file } }, options)).job,
    /** Starts the import of another program's export file. */
    importPreset: async (
      from: { readonly preset: Preset; readonly file: Upload },
      how: PresetOptions = {},
      options?: RequestOptions
    ): Promise<Job> => {
      const { file, preset } = from
      return (await call("jobs.importPreset", { path: { preset }, body: { ...how, file } }, options)).job
    },
    /** Starts an export of the stock. `download` fetches the ended job's `downloadUrl`. */
    export: async (request: ExportRequest, options?: RequestOptions): Promise<Job> =>
      (await call("jobs.export", { body: request }, options)).job,
    /** Changes up to 200 lines. The answer's `results` has the result of each. */
    update: (changes: BulkUpdate, options?: RequestOptions) => call("jobs.update", { body: changes }, options),
    /** An import or export with its progress. */
    job,
    /** Waits until an import or export is `completed` or `failed`, and returns it. */
    wait: (started: string | Pick<Job, "id">, options: WaitOptions = {}): Promise<Job> => {
      const jobId = typeof started === "string" ? started : started.id
      return waitForJob(() => job(jobId, options), options)
    }
  }
}
