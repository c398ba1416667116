import { operations } from "../operationRows.ts"
import { Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { common, PayloadTooLarge, commonOfWrites } from "../../../feed/contract/Errors.ts"
import { Conflict } from "../inventory/InventoryErrors.ts"
import { InventoryFilters } from "../inventory/InventoryFilters.ts"
import { limits, operationBuckets, partBytes } from "../Limits.ts"
import { BulkUpdate, UpdateResults } from "./BulkUpdate.ts"
import { FileFormat, ImportMode, Job } from "./Job.ts"
import { UnprocessableFile, UnsupportedContentType } from "./JobErrors.ts"

const JobAnswer = Schema.Struct({ job: Job }).annotate({ title: "JobAnswer" })
const Started = JobAnswer.pipe(HttpApiSchema.status(202))
/** Parts with a file name are files, whatever their type: browsers send a JSON file as `application/json`. */
const parts = { maxFileSize: partBytes(limits.importBytes), maxFieldSize: 1024, fieldMimeTypes: [] }
const ExportRequest = Schema.Struct({ format: FileFormat, filters: Schema.optionalKey(InventoryFilters) }).annotate({
  title: "ExportRequest",
  description: "Without filters, all lines are exported."
})
const file = { file: Multipart.FilesSchema, mode: Schema.optionalKey(ImportMode) }

/** `format` is needed when the file is packed with gzip. */
const ImportFile = Schema.Struct({ ...file, format: Schema.optionalKey(FileFormat) }).pipe(
  HttpApiSchema.asMultipartStream(parts)
)
const PresetFile = Schema.Struct(file).pipe(HttpApiSchema.asMultipartStream(parts))

/**
 * Programs whose own export files can be imported: the two price sources' and one tool. Beyond the spec: section 11.
 */
export const ImportPreset = Schema.Literals(["sourceEur", "sourceUsd", "powertools"])
export type ImportPreset = typeof ImportPreset.Type

const write = operations(commonOfWrites, "inventory:write")
const exporting = operations(commonOfWrites, "inventory:read")
const read = operations(common, "inventory:read")

/** Imports, exports and updates of many lines. Beyond the spec: section 11. */
export const jobOperations = HttpApiGroup.make("jobs").add(
  write("POST", "import", "/v1/inventory/bulk/import", "Start an import of a file of lines", {
    payload: ImportFile,
    success: Started,
    error: [PayloadTooLarge, UnsupportedContentType]
  }),
  write(
    "POST",
    "importPreset",
    "/v1/inventory/bulk/import/:preset",
    "Start an import of another program's export file",
    {
      params: { preset: ImportPreset },
      payload: PresetFile,
      success: Started,
      error: [PayloadTooLarge, UnsupportedContentType, UnprocessableFile]
    }
  ),
  exporting("POST", "export", "/v1/inventory/bulk/export", "Start an export of the stock", {
    payload: ExportRequest,
    success: Started,
    bucket: operationBuckets.inventoryExport
  }),
  write("POST", "update", "/v1/inventory/bulk/update", "Change many lines at once", {
    payload: BulkUpdate,
    success: UpdateResults,
    error: [Conflict]
  }),
  read("GET", "job", "/v1/inventory/bulk/jobs/:jobId", "An import or export, and how far it is", { success: JobAnswer })
)
