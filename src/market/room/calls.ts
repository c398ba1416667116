import { type Field, fieldControl } from "../../desk/pages/chooseForm.ts"
import { exactly, html, type Html } from "../../desk/pages/html.ts"

/** A request to a control route. */
export interface Call {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
  readonly body?: unknown
}

/** As a person would write it down. */
const callText = ({ body, method, path }: Call): string =>
  `${method} ${path}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`

/** A button that sends a call; `room.js` does it and says what came back. */
export const callButton = (label: string, call: Call): Html =>
  html`<button
    type="button"
    data-method="${call.method}"
    data-path="${call.path}"
    data-body="${exactly(call.body === undefined ? "" : JSON.stringify(call.body))}"
    title="${callText(call)}"
  >
    ${label}
  </button>`

/** Buttons below each other, each with what it calls. */
export const callList = (calls: ReadonlyArray<readonly [label: string, call: Call]>): Html =>
  html`<ul class="calls">
    ${calls.map(([label, call]) => html`<li>${callButton(label, call)} <code>${callText(call)}</code></li>`)}
  </ul>`

interface CallForm {
  readonly label: string
  readonly method: Call["method"]
  /** `{name}` is filled by the field of this name, all others are in the body. */
  readonly path: string
  readonly fields: ReadonlyArray<Field>
  /** What the body has besides. */
  readonly body?: Readonly<Record<string, unknown>>
  /** The list of `body` that the fields are added to as one more item. */
  readonly into?: string
}

/** Where a form leads without scripts. */
export const needsScripts = "/sandbox/room/scripts"

/** A form that sends a call. Empty fields are left out, numbers are numbers. */
export const callForm = ({ body, fields, into, label, method, path }: CallForm): Html =>
  html`<form
    class="choose"
    action="${needsScripts}"
    data-method="${method}"
    data-path="${path}"
    data-body="${exactly(body === undefined ? "" : JSON.stringify(body))}"
    data-into="${into ?? ""}"
  >
    ${fields.map(fieldControl)}<button>${label}</button> <code>${method} ${path}</code>
  </form>`

/** A form whose one field is the whole body, as JSON. */
export const bodyForm = (label: string, call: Call): Html =>
  html`<form class="console" action="${needsScripts}" data-method="${call.method}" data-path="${call.path}">
    <label
      >Body<textarea data-whole rows="8" spellcheck="false">${exactly(JSON.stringify(call.body, null, 2))}</textarea>
    </label>
    <p><button>${label}</button> <code>${call.method} ${call.path}</code></p>
  </form>`
