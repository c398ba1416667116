import { limits } from "../contract/Limits.ts"
import { isNode, type Node, type Operation } from "./Document.ts"

const file = { type: "string", format: "binary" }

const uploads: Readonly<Record<string, Node>> = {
  file,
  files: { type: "array", items: file, minItems: 1, maxItems: limits.photosPerLine }
}

const isNull = (schema: unknown): boolean => isNode(schema) && schema["type"] === "null"

/** A body that may be null may be left out. */
const optionalBody = (operation: Operation) => {
  for (const media of Object.values(operation.requestBody?.content ?? {})) {
    const { anyOf } = media.schema
    if (!Array.isArray(anyOf) || !anyOf.some(isNull) || operation.requestBody === undefined) continue
    const schema: unknown = anyOf.find((each) => !isNull(each))
    if (isNode(schema)) media.schema = schema
    operation.requestBody.required = false
  }
}

/** What is uploaded: one file of lines, or up to ten photos. */
const uploadBody = ({ requestBody }: Operation) => {
  const properties = requestBody?.content["multipart/form-data"]?.schema["properties"]
  if (!isNode(properties)) return
  for (const [name, schema] of Object.entries(uploads)) if (name in properties) properties[name] = schema
}

export const describeBodies = (operation: Operation) => {
  optionalBody(operation)
  uploadBody(operation)
}
