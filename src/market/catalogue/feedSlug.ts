import { isPlainObject, type Json } from "./Json.ts"

const part = (value: unknown): string =>
  typeof value === "string"
    ? value
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, "-")
        .replaceAll(/^-|-$/g, "")
    : ""

/** What the live service's feed and changelog call a product: one name for each printing, which no page has. */
export const feedSlug = (product: Json): string => {
  const { expansion, nameSlug, printNumber, variant } = product
  const code = isPlainObject(expansion) ? expansion["code"] : null
  return [part(code), String(nameSlug ?? ""), part(printNumber), part(variant)].filter((text) => text !== "").join("-")
}
