import { isNode, namedBy, type Node } from "../../src/market/description/Document.ts"

/** How a schema is written: what a request may have is read-only, and its optional fields may be undefined. */
export interface Side {
  readonly isSent: boolean
}

/** A comment, unless there is nothing to say. */
export const comment = (text: unknown, indent = ""): string =>
  typeof text === "string" && text !== "" ? `${indent}/** ${text.replaceAll("*/", "* /")} */\n` : ""

const quoted = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))

const noteOf = (field: Node): string => {
  const { default: byDefault, description, format, maximum, minimum } = field
  const bounds =
    typeof minimum === "number" && typeof maximum === "number" && minimum >= 0 && maximum < 1e9
      ? `${minimum} to ${maximum}`
      : ""
  const facts = [bounds, byDefault === undefined ? "" : `default ${String(byDefault)}`].filter(Boolean).join(", ")
  const kind = format === "date-time" ? "ISO 8601, UTC." : format === "date" ? "`YYYY-MM-DD`." : ""
  const said = typeof description === "string" ? description : kind
  return facts === "" ? said : `${said} ${facts[0]?.toUpperCase()}${facts.slice(1)}.`.trim()
}

/** The fields of an object, a line each. */
export const fieldsText = (schema: Node, side: Side, indent: string): string => {
  const properties = isNode(schema["properties"]) ? schema["properties"] : {}
  const required: ReadonlyArray<unknown> = Array.isArray(schema["required"]) ? schema["required"] : []
  return Object.entries(properties)
    .map(([name, field]) => {
      if (!isNode(field)) throw new Error(`${name} has no schema`)
      const isRequired = required.includes(name)
      const type = typeText(field, side, indent)
      const mark = isRequired ? "" : "?"
      const orUndefined = !isRequired && side.isSent ? " | undefined" : ""
      return `${comment(noteOf(field), indent)}${indent}${quoted(name)}${mark}: ${type}${orUndefined}\n`
    })
    .join("")
}

/** The words of an enumeration. The two price sources have other names where the live service is asked. */
const wordsText = (words: ReadonlyArray<unknown>, { isSent }: Side): string => {
  const known = words.map((word) => JSON.stringify(word)).join(" | ")
  return isSent && words.includes("sourceEur") ? `${known} | (string & {})` : known
}

const plainText = (type: unknown, schema: Node, side: Side, indent: string): string => {
  if (type === "array") {
    const items = isNode(schema["items"]) ? typeText(schema["items"], side, indent) : "unknown"
    return `${side.isSent ? "Readonly" : ""}Array<${items}>`
  }
  if (type === "object") {
    const { additionalProperties, properties } = schema
    if (isNode(properties)) return `{\n${fieldsText(schema, side, `${indent}  `)}${indent}}`
    return `Record<string, ${isNode(additionalProperties) ? typeText(additionalProperties, side, indent) : "unknown"}>`
  }
  if (schema["format"] === "binary") return "Upload"
  if (type === "integer" || type === "number") return "number"
  return type === undefined ? "unknown" : String(type)
}

/** A schema as a type of TypeScript. */
export const typeText = (schema: Node, side: Side, indent = ""): string => {
  const name = namedBy(schema)
  if (name !== undefined) return name
  const [combined] = Array.isArray(schema["allOf"]) ? schema["allOf"].filter(isNode) : []
  if (combined !== undefined) return typeText(combined, side, indent)
  const union = schema["anyOf"] ?? schema["oneOf"]
  if (Array.isArray(union)) {
    return union
      .filter(isNode)
      .map((each) => typeText(each, side, indent))
      .join(" | ")
  }
  if (Array.isArray(schema["enum"])) return wordsText(schema["enum"], side)
  const types: ReadonlyArray<unknown> = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]]
  return types.map((type) => plainText(type, schema, side, indent)).join(" | ")
}
