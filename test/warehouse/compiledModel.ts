/** A model or test for dbt as it compiles it for DuckDB and Postgres. */
export const compiledModel = (text: string): string =>
  text
    .replaceAll(/\{\{ source\('(\w+)', '(\w+)'\) \}\}/g, "$1.$2")
    .replaceAll(/\{\{ ref\('(\w+)'\) \}\}/g, "$1")
    .replaceAll(/\{\{ var\('\w+', (\d+)\) \}\}/g, "$1")
    .replaceAll("{{ dbt.dateadd('day', 1, 'day') }}", "day + interval '1' day")
