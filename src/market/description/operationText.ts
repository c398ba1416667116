import { html, type Html, type Shown, ownMarkup } from "../../desk/pages/html.ts"
import {
  type Document,
  isNode,
  type Media,
  namedBy,
  type Node,
  type Parameter,
  type Placed,
  type Response
} from "./Document.ts"

/** Renders a sentence with `code` and **strong** text. */
const sentence = (text: string): Html =>
  ownMarkup(
    html`${text}`.markup
      .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
      .replaceAll(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
  )

/** Renders paragraphs, and lines that begin with `- ` as a list. */
export const paragraphs = (text: string): ReadonlyArray<Html> =>
  text.split("\n\n").map((block) =>
    block.startsWith("- ")
      ? html`<ul>
          ${block.split("\n").map((line) => html`<li>${sentence(line.slice(2))}</li>`)}
        </ul>`
      : html`<p>${sentence(block)}</p>`
  )

/** Renders a table without a caption, since a heading precedes it. An empty table is omitted. */
const table = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Shown>>): Html | false =>
  rows.length > 0 &&
  html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell) => html`<td>${cell}</td>`)}
            </tr>`
        )}
      </tbody>
    </table>
  </div>`

/** Renders a recorded example. */
const json = (value: unknown): Html => html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`

/** Joins parts with a separator. */
const joined = (parts: ReadonlyArray<Shown>, between: Shown): ReadonlyArray<Shown> =>
  parts.flatMap((part, at) => (at === 0 ? [part] : [between, part]))

const bounds = ["minimum", "exclusiveMinimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "default"]

const listNodes = (value: unknown): ReadonlyArray<Node> => (Array.isArray(value) ? value.filter(isNode) : [])

const showFacts = (schema: Node): Shown => {
  const { format, pattern } = schema
  const facts = [
    ...(typeof format === "string" ? [format] : []),
    ...bounds.filter((name) => name in schema).map((name) => `${name} ${String(schema[name])}`),
    ...(typeof pattern === "string" ? [html`<code>${pattern}</code>`] : [])
  ]
  return facts.length > 0 && html` <small>(${joined(facts, ", ")})</small>`
}

/** Renders a schema in one line, with links to the records that it names. */
const typeText = (schema: Node): Shown => {
  const name = namedBy(schema)
  if (name !== undefined) return html`<a href="#${name}">${name}</a>`
  const [combined] = listNodes(schema["allOf"])
  if (combined !== undefined) return typeText(combined)
  const union = listNodes(schema["anyOf"] ?? schema["oneOf"])
  if (union.length > 0) return joined(union.map(typeText), " or ")
  const { additionalProperties, enum: words, items, properties, type } = schema
  if (Array.isArray(words))
    return joined(
      words.map((word) => html`<code>${String(word)}</code>`),
      ", "
    )
  if (isNode(items)) return ["list of ", typeText(items), showFacts(schema)]
  if (isNode(additionalProperties)) return ["object of ", typeText(additionalProperties)]
  if (isNode(properties)) return fieldTable(schema)
  return [(Array.isArray(type) ? type : [type ?? "any JSON"]).map(String).join(" or "), showFacts(schema)]
}

/** Renders the fields of a record with their types. */
const fieldTable = (schema: Node): Html | false => {
  const { properties, required } = schema
  if (!isNode(properties)) return false
  const always: ReadonlyArray<unknown> = Array.isArray(required) ? required : []
  return table(
    ["field", "type"],
    Object.entries(properties).map(([name, field]) => {
      const { description } = isNode(field) ? field : {}
      const text = typeof description === "string" && html`. ${sentence(description)}`
      const optional = !always.includes(name) && html` <small>optional</small>`
      return [html`<code>${name}</code>${optional}`, [isNode(field) && typeText(field), text]]
    })
  )
}

/** Renders a section that opens when a link leads to it. */
const entry = (id: string, title: Shown, body: Shown): Html =>
  html`<details>
    <summary>${title}</summary>
    <div id="${id}">${body}</div>
  </details>`

const mediaText = (title: string, content: Record<string, Media> | undefined): ReadonlyArray<Html> =>
  Object.entries(content ?? {}).map(
    ([type, { example, schema }]) =>
      html`<h4>${title}</h4>
        <p>${typeText(schema)} <small>${type}</small></p>
        ${example !== undefined && json(example)}`
  )

/** Renders a request such as `POST /v1/cart/items` as a shell command, with values of the example. */
const curl = ({ method, operation, path }: Placed, origin: string, parameters: ReadonlyArray<Parameter>): Html => {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters.find((each) => each.name === name)?.example ?? `{${name}}`))
  )
  const body = operation.requestBody?.content["application/json"]?.example
  const upload = operation.requestBody?.content["multipart/form-data"]?.schema["properties"]
  const words = [
    "curl -s",
    ...(method === "get" ? [] : [`-X ${method.toUpperCase()}`]),
    ...(operation.security.length === 0 ? [] : [`-H 'Authorization: Bearer <key>'`]),
    ...(body === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`]),
    ...(isNode(upload) ? [`-F ${"files" in upload ? "files=@front.jpg" : "file=@stock.csv"}`] : []),
    `'${origin}${address}'`
  ]
  return html`<pre class="wrapped" tabindex="0"><code>${words.join(" ")}</code></pre>`
}

/** Returns the error codes of a status, each with its description. */
const errorRows = (
  document: Document,
  [status, { content, description }]: [string, Response]
): ReadonlyArray<Shown> => {
  const schema = content?.["application/json"]?.schema ?? {}
  const members = Array.isArray(schema["anyOf"]) ? schema["anyOf"].filter(isNode) : [schema]
  const codes = members.flatMap((member) => {
    const properties = document.components.schemas[namedBy(member) ?? ""]?.["properties"]
    const code = isNode(properties) ? properties["code"] : undefined
    return isNode(code) && Array.isArray(code["enum"]) ? code["enum"] : []
  })
  return [
    status,
    joined(
      codes.map((code) => html`<code>${String(code)}</code>`),
      " "
    ),
    joined(description.split(" | ").map(sentence), html`<br />`)
  ]
}

/** Renders an operation: input, answers and one recorded example. */
export const operationText = (document: Document, placed: Placed, origin: string): Html => {
  const { method, operation, path } = placed
  const parameters = operation.parameters.map((each) =>
    "$ref" in each ? document.components.parameters?.[each.$ref.split("/").at(-1) ?? ""] : each
  )
  const named = parameters.filter((each) => each !== undefined)
  const answers = Object.entries(operation.responses)
  const isEvent = path in (document.webhooks ?? {})
  const body = [
    operation.description !== undefined && paragraphs(operation.description),
    table(
      ["parameter", "in", "type"],
      named.map(({ description = "", in: place, name, required, schema }) => [
        html`<code>${name}</code>${!required && html` <small>optional</small>`}`,
        place,
        [typeText(schema), description !== "" && html`. ${sentence(description)}`]
      ])
    ),
    mediaText(isEvent ? "Body" : "Request", operation.requestBody?.content),
    !isEvent && curl(placed, origin, named),
    answers.filter(([status]) => status < "3").map(([status, { content }]) => mediaText(`Answer ${status}`, content)),
    table(
      ["status", "code", "when"],
      answers.filter(([status]) => status >= "4").map((answer) => errorRows(document, answer))
    )
  ]
  const place = isEvent ? path : html`<b>${method.toUpperCase()}</b> ${path}`
  return entry(operation.operationId, html`<code>${place}</code> ${sentence(operation.summary ?? "")}`, body)
}

export const recordText = (name: string, schema: Node): Html => {
  const { description } = schema
  return entry(
    name,
    html`<code>${name}</code>`,
    html`${typeof description === "string" && paragraphs(description)}
      <div>${typeText(schema)}</div>`
  )
}
