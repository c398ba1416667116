/** What of a `Blob` or `File` is used; `openAsBlob` of `node:fs` gives one of a file on disk. */
export interface BlobLike {
  readonly size: number
  readonly type: string
  readonly name?: string
  arrayBuffer(): Promise<ArrayBuffer>
}

export type UploadContent = BlobLike | Uint8Array | AsyncIterable<Uint8Array>

/** A file to send: its content, or its content with a name. A stream is read to its end first, as it may be sent twice. */
export type Upload = UploadContent | { readonly name: string; readonly content: UploadContent; readonly type?: string }
