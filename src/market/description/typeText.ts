import { isNode, namedBy, type Node } from "./Document.ts"
import { sentence, shown, table } from "./markup.ts"

const bounds = ["minimum", "exclusiveMinimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "default"]

const nodesOf = (value: unknown): ReadonlyArray<Node> => (Array.isArray(value) ? value.filter(isNode) : [])

const factsOf = (schema: Node): string => {
  const { format, pattern } = schema
  const facts = [
    ...(typeof format === "string" ? [shown(format)] : []),
    ...bounds.filter((name) => name in schema).map((name) => `${name} ${shown(schema[name])}`),
    ...(typeof pattern === "string" ? [`<code>${shown(pattern)}</code>`] : [])
  ]
  return facts.length === 0 ? "" : ` <small>(${facts.join(", ")})</small>`
}

/** A schema in one line, with links to the records that it names. */
export const typeText = (schema: Node): string => {
  const name = namedBy(schema)
  if (name !== undefined) return `<a href="#${name}">${shown(name)}</a>`
  const union = nodesOf(schema["anyOf"] ?? schema["oneOf"])
  if (union.length > 0) return union.map(typeText).join(" or ")
  const { additionalProperties, enum: words, items, properties, type } = schema
  if (Array.isArray(words)) return words.map((word) => `<code>${shown(word)}</code>`).join(", ")
  if (isNode(items)) return `list of ${typeText(items)}${factsOf(schema)}`
  if (isNode(additionalProperties)) return `object of ${typeText(additionalProperties)}`
  if (isNode(properties)) return fieldTable(schema)
  return (Array.isArray(type) ? type : [type ?? "any JSON"]).map(shown).join(" or ") + factsOf(schema)
}

/** The fields of a record, each with its type. */
export const fieldTable = (schema: Node): string => {
  const { properties, required } = schema
  if (!isNode(properties)) return ""
  const always: ReadonlyArray<unknown> = Array.isArray(required) ? required : []
  return table(
    ["field", "type"],
    Object.entries(properties).map(([name, field]) => {
      const { description } = isNode(field) ? field : {}
      const said = typeof description === "string" ? `. ${sentence(description)}` : ""
      const optional = always.includes(name) ? "" : " <small>optional</small>"
      return [`<code>${shown(name)}</code>${optional}`, (isNode(field) ? typeText(field) : "") + said]
    })
  )
}
