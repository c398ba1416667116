import { exactly, html, type Html } from "./html.ts"

/** A field of a form that chooses what a page shows. */
export type Field =
  | {
      readonly kind: "number"
      readonly name: string
      readonly label: string
      readonly value: number
      readonly step?: string
    }
  | {
      readonly kind: "text"
      readonly name: string
      readonly label: string
      readonly value: string
      readonly hint?: string
    }
  | {
      readonly kind: "choice"
      readonly name: string
      readonly label: string
      readonly value: string
      readonly options: ReadonlyArray<readonly [value: string, label: string]>
    }

/** A form that requests the page at `path` with other parameters; `kept` are passed on unchanged. */
export const chooseForm = (
  path: string,
  fields: ReadonlyArray<Field>,
  kept: Readonly<Record<string, string>> = {}
): Html =>
  html`<form class="choose" action="${path}">
    ${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${exactly(value)}" />`)}${fields.map(control)}<button>
      Show
    </button>
  </form>`

const control = (field: Field): Html => {
  switch (field.kind) {
    case "number":
      return html`<label
        >${field.label}<input
          type="number"
          name="${field.name}"
          value="${field.value}"
          min="0"
          max="1000000"
          step="${field.step ?? "1"}"
      /></label>`
    case "text":
      return html`<label
        >${field.label}<input name="${field.name}" value="${exactly(field.value)}" placeholder="${field.hint ?? ""}"
      /></label>`
    case "choice":
      return html`<label
        >${field.label}<select name="${field.name}">
          ${field.options.map(
            ([value, label]) =>
              html`<option value="${exactly(value)}" ${value === field.value && html` selected`}>${label}</option>`
          )}
        </select></label
      >`
  }
}
