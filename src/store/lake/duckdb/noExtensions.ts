/** DuckDB loads no code from the user's folder or the network: what we use is built in. */
export const noExtensions = {
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false"
}
