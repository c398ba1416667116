import { NotFound, BadRequest } from "../../feed/contract/Errors.ts"

/** A 400 that names the field in message and data. Beyond the spec: section 2. */
export const badRequest = (field: string, why: string): BadRequest =>
  new BadRequest({ code: "BAD_REQUEST", status: 400, message: `${field}: ${why}`, data: { field } })

const words = {
  gameId: ["GAME_NOT_FOUND", "game"],
  productId: ["PRODUCT_NOT_FOUND", "product"],
  expansionId: ["EXPANSION_NOT_FOUND", "expansion"]
} as const

/** A 404 that names the id; those of products and expansions are numbers. Beyond the spec: section 2, not-found answers. */
export const notFound = (field: keyof typeof words, id: string): NotFound => {
  const [code, word] = words[field]
  const data = { [field]: field === "gameId" ? id : Number(id) }
  return new NotFound({ code, status: 404, message: `No ${word} has the id ${id}`, data })
}

/** A 404 for what has no code of its own. */
export const missing = (message: string, data: NotFound["data"] = {}): NotFound =>
  new NotFound({ code: "NOT_FOUND", status: 404, message, data })

/** A 404 for an id of something that has no code of its own. */
export const noSuch = (what: string, id: string, data: NotFound["data"] = {}): NotFound =>
  missing(`No ${what} has the id ${id}`, data)
