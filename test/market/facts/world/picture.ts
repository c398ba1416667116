import { crc32, deflateSync } from "node:zlib"

const chunk = (name: string, data: Buffer): Buffer => {
  const [length, named, sum] = [Buffer.alloc(4), Buffer.concat([Buffer.from(name), data]), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A grey PNG of this size. */
export const picture = (width: number, height: number): Blob => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.writeUInt8(8, 8)
  const rows = deflateSync(Buffer.alloc((width + 1) * height))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [signature, chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]
  return new Blob(
    parts.map((part) => new Uint8Array(part)),
    { type: "image/png" }
  )
}

/** Pictures as a form sends them. */
export const pictures = (...files: ReadonlyArray<Blob>): FormData => {
  const form = new FormData()
  for (const [place, file] of files.entries()) form.append("files", file, `${place}.png`)
  return form
}
