/** Errors of a command in a bucket say where the home is, and not the folder on this machine. */
export const sayingAddress =
  (root: string, address: string) =>
  <E>(error: E): E => {
    if (!(error instanceof Error) || !error.message.includes(root)) return error
    const message = error.message.replaceAll(root, address)
    return Object.create(error, { message: { value: message, enumerable: false } }) as E
  }
