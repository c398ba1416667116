import type { BlobLike, Upload, UploadContent } from "./Upload.ts"

/** What a `File` is made of. */
type Part = Blob | Uint8Array<ArrayBuffer>

const partsOf = async (content: UploadContent): Promise<ReadonlyArray<Part>> => {
  if (ArrayBuffer.isView(content) || content instanceof Blob) return [content as Part]
  if ("arrayBuffer" in content) return [new Uint8Array(await content.arrayBuffer())]
  if (!(Symbol.asyncIterator in content)) throw new TypeError("A file to send is a Blob, bytes or a stream of bytes")
  const parts: Array<Part> = []
  for await (const part of content) parts.push(part as Part)
  return parts
}

const fileOf = async (upload: Upload): Promise<File> => {
  const named = "content" in upload ? upload : { content: upload, name: undefined, type: undefined }
  const { content } = named
  const { name, type } = content as Partial<BlobLike>
  return new File([...(await partsOf(content))], named.name ?? (typeof name === "string" ? name : "file"), {
    type: named.type ?? (typeof type === "string" ? type : "")
  })
}

/** A form with its files; what is undefined is left out. */
export const formOf = async (fields: Readonly<Record<string, unknown>>): Promise<FormData> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") form.append(name, value)
    else if (Array.isArray(value)) {
      for (const file of value as ReadonlyArray<Upload>) form.append(name, await fileOf(file))
    } else if (value !== undefined) form.append(name, await fileOf(value as Upload))
  }
  return form
}
