/** JSON of another kind than the marketplace's. A plain text instead means: the right kind, but broken. */
export class Foreign {
  readonly what: string
  constructor(what: string) {
    this.what = what
  }
}
