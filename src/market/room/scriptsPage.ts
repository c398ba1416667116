import { Effect } from "effect"
import { html } from "../../desk/pages/html.ts"
import type { PageOf } from "./RoomPage.ts"

/** Where a form leads if the browser runs no scripts. */
export const scriptsPage: PageOf = () =>
  Effect.succeed({
    title: "This needs scripts",
    says: "Nothing was sent.",
    body: html`<p class="empty">
      Forms and buttons send JSON to the control routes, which a browser only does with scripts. Allow them for this
      address, or send the call that is named beside the button: <a href="/docs">every call with an example</a>.
    </p>`
  })
