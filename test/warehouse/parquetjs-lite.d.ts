declare module "parquetjs-lite" {
  const lite: {
    readonly ParquetReader: {
      readonly openFile: (
        file: string
      ) => Promise<{
        readonly getCursor: () => { readonly next: () => Promise<unknown> }
        readonly close: () => Promise<void>
      }>
    }
  }
  export default lite
}
