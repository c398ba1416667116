import type { Exchange } from "./sending.ts"

/** The parts of an upload, by name and type; a text with what it says. */
const partsOf = (form: FormData) =>
  [...form].map(([field, part]) =>
    typeof part === "string" ? { field, value: part } : { field, file: part.name, type: part.type, bytes: part.size }
  )

/** Headers that differ from answer to answer and tell a client nothing. */
const left = new Set(["date", "connection", "keep-alive", "transfer-encoding", "content-length"])

/** An exchange as a file has it, with other words in the place of keys. */
export const fixtureOf = (
  { answer, headers, operation, path, sent, status }: Exchange,
  keys: Readonly<Record<string, string>>
): unknown => {
  const { body, form, key } = sent
  const text = JSON.stringify({
    request: {
      method: operation.slice(0, operation.indexOf(" ")),
      path,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body }),
      ...(form === undefined ? {} : { form: partsOf(form) })
    },
    answer: {
      status,
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !left.has(name))),
      body: answer
    }
  })
  return JSON.parse(Object.entries(keys).reduce((written, [each, word]) => written.replaceAll(each, word), text))
}
