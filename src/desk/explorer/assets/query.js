// Ctrl+Enter runs the query that is being written.
const query = document.getElementById("sql")
const form = query.form
query.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit()
})

// What is too long for an address is sent without one.
form.addEventListener("submit", () => {
  const length = `${form.action}?${new URLSearchParams(new FormData(form))}`.length
  if (length > 8000) form.method = "post"
})

// A name that is clicked is written where the cursor is; between the brackets of a macro, its parameters can follow.
const schema = document.querySelector(".schema")
schema.addEventListener("click", (event) => {
  const name = event.target.closest("[data-insert]")?.dataset.insert
  if (name === undefined) return
  query.setRangeText(name, query.selectionStart, query.selectionEnd, "end")
  if (name.endsWith(")")) query.selectionStart = query.selectionEnd = query.selectionEnd - 1
  query.focus()
})
// On a phone it would hide the result.
if (matchMedia("(max-width: 60rem)").matches) schema.open = false
