import { Schema } from "effect"
import { problem } from "../../../feed/contract/Errors.ts"

/** A file whose format is neither stated nor known. Beyond the spec: section 2, 400. */
export class UnsupportedContentType extends problem<UnsupportedContentType>(
  "UnsupportedContentType",
  "A file whose format is neither stated nor known."
)(400, "UNSUPPORTED_CONTENT_TYPE", { field: Schema.optionalKey(Schema.String) }) {}

/** A file that is not what the preset's program writes. Beyond the spec: section 2, 422. */
export class UnprocessableFile extends problem<UnprocessableFile>(
  "UnprocessableFile",
  "The file is not one that the preset's program writes."
)(422, "UNPROCESSABLE_FILE", {
  source: Schema.String
}) {}
