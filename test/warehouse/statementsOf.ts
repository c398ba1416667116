/** The statements of a load script; psql's own commands are no SQL. */
export const statementsOf = (script: string): ReadonlyArray<string> =>
  script
    .replaceAll(/^\\gexec$/gm, ";")
    .replaceAll(/^(--|\\).*$/gm, "")
    .replaceAll(/:'(\w+)'/g, "'$1'")
    // The parser does not know these words of Databricks yet.
    .replaceAll(/^insert with schema evolution into/gm, "insert into")
    .split(/;\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "")
