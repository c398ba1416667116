/** JSON that is not the marketplace's. A plain text instead means: the marketplace's, but broken. */
export class Foreign {
  readonly what: string
  constructor(what: string) {
    this.what = what
  }
}
