/** JSON that is not the marketplace's. A plain text instead means: the marketplace's, but broken. */
export class NotOurJson {
  readonly what: string
  constructor(what: string) {
    this.what = what
  }
}

/** The thread that parsed a page crashed. */
export class ParserCrashed {
  readonly cause: string
  constructor(cause: string) {
    this.cause = cause
  }
}

/** Why an answer cannot be opened. */
export type OpenFault = string | NotOurJson | ParserCrashed
