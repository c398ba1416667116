import { limits } from "../contract/Limits.ts"
import type { Files } from "../files/Files.ts"
import { emit } from "../events/emit.ts"
import { textOfMillis } from "../state/MarketClock.ts"
import type { Transaction } from "../state/State.ts"
import { findJob, jobLink, type JobRow } from "./JobRow.ts"

const dayMillis = 86_400_000

/** How a job ended: with its files, or with what was wrong. */
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
 * Ends a job and tells of it. Its files are kept for seven days.
 * Spec: inventory.import.completed, inventory.export.completed.
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
