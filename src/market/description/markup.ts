const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** A value as text of a page. */
export const shown = (text: unknown): string => String(text).replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? "")

/** A sentence with `code` and **strong** words. */
export const sentence = (text: string): string =>
  shown(text)
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")

/** Paragraphs, and lines that begin with `- ` as a list. */
export const paragraphs = (text: string): string =>
  text
    .split("\n\n")
    .map((block) =>
      block.startsWith("- ")
        ? `<ul>${block
            .split("\n")
            .map((line) => `<li>${sentence(line.slice(2))}</li>`)
            .join("")}</ul>`
        : `<p>${sentence(block)}</p>`
    )
    .join("")

/** A table of rows that are markup already; nothing without rows. */
export const table = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.length === 0
    ? ""
    : `<div class="scroll"><table><thead><tr>${heads.map((head) => `<th scope="col">${shown(head)}</th>`).join("")}</tr></thead><tbody>${rows
        .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`)
        .join("")}</tbody></table></div>`

/** An example, as it was sent or answered. */
export const json = (value: unknown): string =>
  `<pre tabindex="0"><code>${shown(JSON.stringify(value, null, 2))}</code></pre>`
