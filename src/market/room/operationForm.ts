import { Effect } from "effect"
import { exactly, html, type Html } from "../../desk/pages/html.ts"
import { LiveCatalogue } from "../catalogue/LiveCatalogue.ts"
import { controlDocument } from "../description/descriptionRoutes.ts"
import { isNode, namedBy, type Node, listOperations, type Placed } from "../description/Document.ts"
import { State } from "../state/State.ts"
import { accountOptions, needsScripts, type PageOf, words } from "./RoomPage.ts"

/** A field of a form: a path or query parameter, or a property of the body, such as `seller.type`. */
interface Input {
  readonly name: string
  readonly place: "path" | "query" | "body"
  readonly schema: Node
  readonly isRequired: boolean
  /** The field's own description, not that of the record in its schema. */
  readonly says: unknown
  /** The value in the operation's recorded example. */
  readonly example: unknown
}

type Options = ReadonlyArray<readonly [value: string, label: string]>

interface FormOptions {
  /** Label of the button. Default: the operation's summary. */
  readonly label?: string
  /** Choices by field name that are not in a schema: accounts and games. */
  readonly choices?: Readonly<Record<string, Options>>
  /** Initial values of fields. */
  readonly values?: Readonly<Record<string, string | number | null>>
  /** Values of the call without a form field. */
  readonly fixed?: Readonly<Record<string, unknown>>
  /** Fields to show. Default: all. */
  readonly only?: ReadonlyArray<string>
  /** The body's list to which the fields add an item; `fixed` has the existing items. */
  readonly into?: string
}

const readProperties = ({ properties }: Node): Node => (isNode(properties) ? properties : {})
const readEnum = (schema: Node): ReadonlyArray<unknown> | undefined =>
  Array.isArray(schema["enum"]) ? schema["enum"] : undefined
const readType = ({ type }: Node): unknown => (Array.isArray(type) ? type.find((each) => each !== "null") : type)

const readKinds = (schema: Node): ReadonlyArray<unknown> => {
  const { kind } = readProperties(schema)
  return isNode(kind) ? (readEnum(kind) ?? []) : []
}

/** Returns the fields that `other` lacks, each with the kinds of `one` that have it. */
const ownFields = (one: Node, other: Node): Node =>
  Object.fromEntries(
    Object.entries(readProperties(one)).flatMap(([key, field]) => {
      if (!isNode(field) || key in readProperties(other)) return []
      return [[key, { ...field, description: field["description"] ?? `For ${readKinds(one).map(String).join(", ")}.` }]]
    })
  )

/** Merges two kinds of a record: enumerations have the words of both, and what only one requires is optional. */
const either = (one: Node, other: Node): Node => {
  const [mine, theirs] = [readEnum(one), readEnum(other)]
  if (mine !== undefined && theirs !== undefined) return { ...one, enum: [...new Set([...mine, ...theirs])] }
  const others = readProperties(other)
  const shared = Object.entries(readProperties(one)).flatMap(([key, schema]) =>
    isNode(schema) && isNode(others[key]) ? [[key, either(schema, others[key])] as const] : []
  )
  if (shared.length === 0) return one
  const properties = { ...Object.fromEntries(shared), ...ownFields(one, other), ...ownFields(other, one) }
  const needed = [one, other].map(({ required }) => (Array.isArray(required) ? (required as Array<unknown>) : []))
  return { ...one, properties, required: needed[0]?.filter((key) => needed[1]?.includes(key)) }
}

/** Resolves a reference, and merges the kinds of a union. */
const resolve = (schema: unknown): Node => {
  if (!isNode(schema)) return {}
  const name = namedBy(schema)
  if (name !== undefined) return resolve(controlDocument().components.schemas[name])
  return Array.isArray(schema["anyOf"]) ? schema["anyOf"].map(resolve).reduce(either) : schema
}

const readDescription = (schema: unknown): unknown => (isNode(schema) ? schema["description"] : undefined)

/** Returns a field per property. Nested fields have the name of their object as prefix. */
const bodyInputs = (schema: Node, example: unknown, within = "", isNeeded = true): ReadonlyArray<Input> =>
  Object.entries(readProperties(schema)).flatMap(([key, property]) => {
    const inner = resolve(property)
    const shown = isNode(example) ? example[key] : undefined
    const isRequired = isNeeded && Array.isArray(schema["required"]) && schema["required"].includes(key)
    return readType(inner) === "object" && isNode(inner["properties"])
      ? bodyInputs(inner, shown, `${within}${key}.`, isRequired)
      : [
          {
            name: within + key,
            place: "body",
            schema: inner,
            isRequired,
            says: readDescription(property),
            example: shown
          } as const
        ]
  })

const parameterInputs = ({ operation: { parameters } }: Placed): ReadonlyArray<Input> =>
  parameters.flatMap((parameter) =>
    "in" in parameter && parameter.in !== "header"
      ? [
          {
            name: parameter.name,
            place: parameter.in,
            schema: resolve(parameter.schema),
            isRequired: parameter.required,
            says: parameter.description ?? readDescription(parameter.schema),
            example: parameter.example
          }
        ]
      : []
  )

const renderSelect = (attributes: Html, options: Options, value: string, isOptional: boolean): Html =>
  html`<select ${attributes}>
    ${isOptional && html`<option value=""></option>`}${options.map(
      ([each, label]) => html`<option value="${exactly(each)}" ${each === value && html` selected`}>${label}</option>`
    )}
  </select>`

const asOptions = (values: ReadonlyArray<unknown>): Options => values.map((each) => [String(each), words(String(each))])
const asText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))

/** Returns a number's bound, or "" if it is only JSON's limit. */
const bound = (value: unknown): number | "" => (typeof value === "number" && Math.abs(value) < 1e10 ? value : "")

/** Renders the input for a schema; `data-type` tells `room.js` how to read it. */
const renderInput = ({ example, isRequired, name, place, schema }: Input, value: string, choices?: Options): Html => {
  const attributes = (type: string) =>
    html` name="${name}" data-place="${place}" data-type="${type}" ${isRequired && html` required`}`
  const type = readType(schema)
  const options = choices ?? (type === "boolean" ? asOptions([true, false]) : undefined)
  const enumerated = readEnum(schema)
  if (options !== undefined || enumerated !== undefined) {
    const kind = type === "boolean" ? "flag" : "text"
    return renderSelect(attributes(kind), options ?? asOptions(enumerated ?? []), value, !isRequired)
  }
  if (type === "number" || type === "integer")
    return html`<input
      type="number"
      ${attributes("number")}
      value="${value}"
      min="${bound(schema["minimum"])}"
      max="${bound(schema["maximum"])}"
      step="${type === "integer" ? 1 : "any"}"
    />`
  const items = resolve(schema["items"])
  const chosen = readEnum(items)
  if (type === "array" && chosen !== undefined)
    return html`<select multiple size="4" ${attributes("text")}>
      ${chosen.map((each) => html`<option>${String(each)}</option>`)}
    </select>`
  if (type === "array" && readType(items) !== "object" && !("anyOf" in items) && !isNode(items["properties"]))
    return html`<input
      ${attributes(readType(items) === "string" ? "texts" : "numbers")}
      value="${exactly(value)}"
      placeholder="${readType(items) === "string" ? "one, another" : "1, 2"}"
    />`
  if (type !== "string")
    return html`<textarea
      ${attributes("json")}
      rows="${value === "" ? 3 : 8}"
      spellcheck="false"
      placeholder="${asText(example)}"
    >
${exactly(value)}</textarea>`
  const isDay = String(schema["pattern"]).startsWith("^\\d{4}-\\d{2}-\\d{2}")
  return html`<input
    type="${isDay ? "date" : "text"}"
    ${attributes("text")}
    value="${exactly(value)}"
    placeholder="${asText(example)}"
  />`
}

/** Returns a readable name: "Seller type" for `seller.type`. */
const nameText = (name: string): string => {
  const spaced = name
    .replaceAll(".", " ")
    .replaceAll(/(?<=\w)(?=[A-Z])/g, " ")
    .toLowerCase()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

const placed = (name: string): Placed => {
  const found = listOperations(controlDocument().paths).find(({ operation }) =>
    operation.operationId.endsWith(`.${name}`)
  )
  if (found === undefined) throw new Error(`The control API has no operation ${name}`)
  return found
}

/** Renders a form from the schemas of a control operation; `room.js` sends it. */
export const operationForm = (
  name: string,
  { choices = {}, fixed = {}, into, label, only, values = {} }: FormOptions = {}
): Html => {
  const { method, operation, path } = placed(name)
  const media = operation.requestBody?.content["application/json"]
  const body = resolve(media?.schema)
  const schema = into === undefined ? body : resolve(resolve(readProperties(body)[into])["items"])
  const inputs = [...parameterInputs({ method, operation, path }), ...bodyInputs(schema, media?.example)].filter(
    (input) => (into !== undefined || !(input.name in fixed)) && (only === undefined || only.includes(input.name))
  )
  const filled = path.replaceAll(/\{(\w+)\}/g, (all, key: string) =>
    key in fixed ? encodeURIComponent(String(fixed[key])) : all
  )
  const rest = Object.fromEntries(Object.entries(fixed).filter(([key]) => !path.includes(`{${key}}`)))
  return html`<form
    class="choose call"
    action="${needsScripts}"
    data-method="${method.toUpperCase()}"
    data-path="${filled}"
    data-body="${exactly(media === undefined ? "" : JSON.stringify(rest))}"
    data-into="${into ?? ""}"
  >
    ${inputs.map(
      (input) =>
        html`<label
          >${nameText(input.name)}${renderInput(input, String(values[input.name] ?? ""), choices[input.name])}${
            input.says !== undefined && html`<small>${String(input.says)}</small>`
          }</label
        >`
    )}<button>${label ?? operation.summary?.split(/[,;:]/)[0]}</button> <code>${method.toUpperCase()} ${filled}</code>
  </form>`
}

/** Returns the sandbox's accounts and games as choices of fields. */
export const knownChoices = Effect.gen(function* () {
  const accounts = accountOptions((yield* State).store)
  const games = [...(yield* LiveCatalogue).games.values()].map(({ stored: { game } }) => [game.id, game.name] as const)
  return { accountId: accounts, buyerId: accounts, gameId: games, game: games }
})

/** Shows every operation of the control API with its form. */
export const callsPage: PageOf = Effect.fnUntraced(function* () {
  const choices = yield* knownChoices
  const { paths, tags } = controlDocument()
  const operations = listOperations(paths)
  return {
    title: "Calls",
    says: "Every control route with a form that is made of its description. What comes back is shown below the form.",
    body: html`${tags.map(
      ({ name: tag }) =>
        html`<h2>${nameText(tag.replace("control", ""))}</h2>
          ${operations
            .filter(({ operation }) => operation.tags.includes(tag))
            .map(({ method, operation: { operationId, summary }, path }) => {
              const name = operationId.split(".")[1] ?? ""
              return html`<details id="call-${name}">
                <summary>${summary} <code>${method.toUpperCase()} ${path}</code></summary>
                ${operationForm(name, { choices, label: "Send" })}
              </details>`
            })}`
    )}`
  }
})
