/** The used part of a `Blob` or `File`. `openAsBlob` of `node:fs` returns one for a file on disk. */
export interface BlobLike {
  readonly size: number
  readonly type: string
  readonly name?: string
  arrayBuffer(): Promise<ArrayBuffer>
}

export type UploadContent = BlobLike | Uint8Array | AsyncIterable<Uint8Array>

/** A file to send: its content, optionally with a name. A stream is read completely first, because of retries. */
export type Upload = UploadContent | { readonly name: string; readonly content: UploadContent; readonly type?: string }
