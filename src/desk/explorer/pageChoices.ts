import { chooseForm, type Field } from "../pages/chooseForm.ts"
import { html, type Html, type Shown } from "../pages/html.ts"
import type { PageRequest } from "./PageRequest.ts"

interface Folded {
  readonly title?: string
  /** Parameters that are passed on unchanged. */
  readonly kept?: Readonly<Record<string, string>>
  /** Fields whose values the summary shows; default: all. */
  readonly summarized?: ReadonlyArray<Field>
}

/** A collapsed form whose summary shows the choices. A script opens it on a wide screen if any field is set. */
export const foldedForm = (
  request: PageRequest,
  fields: ReadonlyArray<Field>,
  { kept = {}, title = "Filters", summarized = fields }: Folded = {}
): Html => {
  const isUsed = fields.some(({ name }) => (request.query.get(name) ?? "") !== "")
  const chosen = summarized.flatMap(describeChoice)
  return html`<details class="fold${isUsed && " used"}">
    <summary>${title}${chosen.length > 0 && `: ${chosen.join(", ")}`}</summary>
    ${chooseForm(request.path, fields, kept)}
  </details>`
}

/** Describes a field's value, such as "kind cards"; empty if the field filters nothing. */
const describeChoice = (field: Field): ReadonlyArray<string> => {
  if (field.kind === "number") return (field.value ?? 0) === 0 ? [] : [`${field.label} ${field.value}`]
  if (field.kind !== "choice") return field.value === "" ? [] : [`${field.label} ${field.value}`]
  const place = field.options.findIndex(([value]) => value === field.value)
  return place < 1 ? [] : [`${field.label} ${field.options[place]?.[1]}`]
}

/** Links to other choices of a page; the current one is marked. */
export const choiceLinks = (
  title: string,
  links: ReadonlyArray<readonly [label: Shown, address: string, isChosen: boolean]>,
  kind = ""
): Html =>
  html`<nav class="switch${kind}" aria-label="${title}">
    ${links.map(
      ([label, address, isChosen]) => html`<a href="${address}" ${isChosen && html` aria-current="true"`}>${label}</a>`
    )}
  </nav>`
