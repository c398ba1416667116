import type { Json } from "@duckdb/node-api"
import { shownText } from "../../feed/contract/shownText.ts"
import { html, type Html } from "../pages/html.ts"
import { pictureMark } from "./pictures/pictureMark.ts"

/** Letters of a name that a list shows. */
const maxNameLength = 100

/** A product in a list: its name, and on a line below what tells it from others of that name. */
export const productCell = (address: string, name: Json | undefined, facts: ReadonlyArray<Json | undefined>): Html =>
  html`${pictureMark(address)}<a href="${address}">${shownText(String(name), maxNameLength)}</a>
    <small>
      ${facts
        .filter((fact) => fact !== null && fact !== undefined && fact !== "")
        .map((fact) => shownText(String(fact), maxNameLength))
        .join(" · ")}
    </small>`
