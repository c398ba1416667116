import { exactly, html, type Html } from "./html.ts"

interface Named {
  readonly name: string
  readonly label: string
}

/** A field of a form; null and "" = empty. */
export type Field =
  | (Named & { readonly kind: "number"; readonly value: number | null; readonly step?: string })
  | (Named & { readonly kind: "text"; readonly value: string; readonly hint?: string; readonly isNeeded?: boolean })
  | (Named & { readonly kind: "day"; readonly value: string })
  | (Named & {
      readonly kind: "choice"
      readonly value: string
      readonly options: ReadonlyArray<readonly [value: string, label: string]>
    })

/** A field with fixed options; a pair is a value with its label. */
export const choiceField = (
  name: string,
  label: string,
  value: string,
  options: ReadonlyArray<string | readonly [value: string, label: string]>
): Field => ({
  kind: "choice",
  name,
  label,
  value,
  options: options.map((one) => (typeof one === "string" ? [one, one] : one))
})

/** A field for a number of any precision, such as a price. */
export const amountField = (name: string, label: string, value: number): Field => ({
  kind: "number",
  name,
  label,
  value,
  step: "any"
})

/** A form that requests the page at `path` with new parameters; those in `kept` are passed on unchanged. */
export const chooseForm = (
  path: string,
  fields: ReadonlyArray<Field>,
  kept: Readonly<Record<string, string>> = {}
): Html =>
  html`<form class="choose" action="${path}">
    ${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${exactly(value)}" />`)}${fields.map(fieldControl)}<button>
      Show
    </button>
  </form>`

export const fieldControl = (field: Field): Html => {
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
        >${field.label}<input
          name="${field.name}"
          value="${exactly(field.value)}"
          placeholder="${field.hint ?? ""}"
          ${field.isNeeded === true && html` required`}
      /></label>`
    case "day":
      return html`<label
        >${field.label}<input type="date" name="${field.name}" value="${exactly(field.value)}"
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
