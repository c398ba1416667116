import { html, type Html, type Shown } from "../../pages/html.ts"
import { isNode, namedBy, type Node } from "./Document.ts"
import { joined, sentence, table } from "./markup.ts"

const bounds = ["minimum", "exclusiveMinimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "default"]

const nodesOf = (value: unknown): ReadonlyArray<Node> => (Array.isArray(value) ? value.filter(isNode) : [])

const factsOf = (schema: Node): Shown => {
  const { format, pattern } = schema
  const facts = [
    ...(typeof format === "string" ? [format] : []),
    ...bounds.filter((name) => name in schema).map((name) => `${name} ${String(schema[name])}`),
    ...(typeof pattern === "string" ? [html`<code>${pattern}</code>`] : [])
  ]
  return facts.length > 0 && html` <small>(${joined(facts, ", ")})</small>`
}

/** A schema in one line, with links to the records that it names. */
export const typeText = (schema: Node): Shown => {
  const name = namedBy(schema)
  if (name !== undefined) return html`<a href="#${name}">${name}</a>`
  const union = nodesOf(schema["anyOf"] ?? schema["oneOf"])
  if (union.length > 0) return joined(union.map(typeText), " or ")
  const { additionalProperties, enum: words, items, properties, type } = schema
  if (Array.isArray(words))
    return joined(
      words.map((word) => html`<code>${String(word)}</code>`),
      ", "
    )
  if (isNode(items)) return ["list of ", typeText(items), factsOf(schema)]
  if (isNode(additionalProperties)) return ["object of ", typeText(additionalProperties)]
  if (isNode(properties)) return fieldTable(schema)
  return [(Array.isArray(type) ? type : [type ?? "any JSON"]).map(String).join(" or "), factsOf(schema)]
}

/** The fields of a record, each with its type. */
const fieldTable = (schema: Node): Html | false => {
  const { properties, required } = schema
  if (!isNode(properties)) return false
  const always: ReadonlyArray<unknown> = Array.isArray(required) ? required : []
  return table(
    ["field", "type"],
    Object.entries(properties).map(([name, field]) => {
      const { description } = isNode(field) ? field : {}
      const said = typeof description === "string" && html`. ${sentence(description)}`
      const optional = !always.includes(name) && html` <small>optional</small>`
      return [html`<code>${name}</code>${optional}`, [isNode(field) && typeText(field), said]]
    })
  )
}
