import type { NotFound } from "../../feed/contract/Errors.ts"
import { noSuch } from "../answers/refusals.ts"
import { limits } from "../contract/Limits.ts"
import type { FileFormat, ImportMode, Job, JobStatus, ImportPreset } from "../contract/jobs/jobOperations.ts"
import type { Files } from "../files/Files.ts"
import type { Store, Transaction } from "../state/State.ts"
import { emit } from "../events/emit.ts"
import { dayMillis, textOfMillis } from "../state/MarketClock.ts"

/** A row of `jobs`. */
export interface JobRow {
  readonly id: string
  readonly account_id: string
  readonly kind: "import" | "export"
  readonly status: JobStatus
  readonly format: FileFormat
  readonly mode: ImportMode | null
  readonly preset: ImportPreset | null
  /** Filters of an export, as JSON. */
  readonly filters: string | null
  /** The origin of links: from the current request, or for events from the request that started the job. */
  readonly origin: string
  readonly source_id: string | null
  readonly total: number | null
  readonly rows_done: number
  readonly succeeded: number
  readonly failed: number
  readonly error_message: string | null
  readonly file_id: string | null
  readonly report_id: string | null
  readonly created_at: string
  readonly expires_at: string | null
}

export const findJob = (store: Store, id: string): JobRow | undefined =>
  store.one<JobRow>("select * from jobs where id = :id", { id })

/** Returns a link to a job's file that expires at `untilMillis`; null without a file. */
export const jobLink = (
  files: Files["Service"],
  { origin }: JobRow,
  { fileId, untilMillis }: { readonly fileId: string | null; readonly untilMillis: number }
) => (fileId === null ? null : origin + files.signedPath(fileId, untilMillis))

const computeProgress = ({ rows_done, status, total }: JobRow): number | null => {
  if (total === null) return null
  return status === "completed" || total === 0 ? 100 : Math.floor((rows_done * 100) / total)
}

/** Returns a job as the API shows it, with new links. Beyond the spec: section 11. */
export const showJob = (row: JobRow, files: Files["Service"], nowMillis: number): Job => {
  const untilMillis = nowMillis + limits.jobLinkSeconds * 1000
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    format: row.format,
    mode: row.mode,
    counts: row.total === null ? null : { total: row.total, succeeded: row.succeeded, failed: row.failed },
    progress: computeProgress(row),
    errorMessage: row.error_message,
    downloadUrl: jobLink(files, row, { fileId: row.file_id, untilMillis }),
    errorReportUrl: jobLink(files, row, { fileId: row.report_id, untilMillis }),
    expiresAt: row.expires_at,
    createdAt: row.created_at
  }
}

export const noSuchJob = (jobId: string): NotFound => noSuch("job", jobId, { jobId })

/** The result of a job: its files, or its error. */
type JobEnd =
  | { readonly fileId?: string; readonly reportId?: string }
  | { readonly error: string; readonly reportId?: undefined; readonly fileId?: undefined }

const emitEnd = (tx: Transaction, files: Files["Service"], job: JobRow): void => {
  const status = job.status === "failed" ? "failed" : "completed"
  const until = tx.atMillis + limits.eventLinkSeconds * 1000
  const eventId = `${job.id}.completed`
  if (job.kind === "export") {
    const downloadUrl = jobLink(files, job, { fileId: job.file_id, untilMillis: until })
    const expiresAt = downloadUrl === null ? null : textOfMillis(until)
    const data = { jobId: job.id, status, downloadUrl, expiresAt } as const
    emit(tx, job.account_id, { type: "inventory.export.completed", eventId, data })
    return
  }
  const counts =
    status === "failed"
      ? { total: 0, succeeded: 0, failed: 0 }
      : { total: job.total ?? 0, succeeded: job.succeeded, failed: job.failed }
  const errorReportUrl = jobLink(files, job, { fileId: job.report_id, untilMillis: until })
  emit(tx, job.account_id, {
    type: "inventory.import.completed",
    eventId,
    data: { jobId: job.id, status, counts, errorReportUrl }
  })
}

/**
 * Ends a job and emits its event. Its files are retained for seven days. Spec: inventory.import.completed,
 * inventory.export.completed.
 */
export const endJob = (
  tx: Transaction,
  files: Files["Service"],
  { end, id }: { readonly id: string; readonly end: JobEnd }
): void => {
  tx.run(
    `update jobs set status = :status, error_message = :error, file_id = :fileId, report_id = :reportId,
       source_id = null, expires_at = :expiresAt where id = :id`,
    {
      id,
      status: "error" in end ? "failed" : "completed",
      error: "error" in end ? end.error : null,
      fileId: end.fileId ?? null,
      reportId: end.reportId ?? null,
      expiresAt: textOfMillis(tx.atMillis + limits.jobFileDays * dayMillis)
    }
  )
  const job = findJob(tx, id)
  if (job !== undefined) emitEnd(tx, files, job)
}
