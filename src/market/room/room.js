// Sends what a button or form names, says what came back, and keeps the page as the sandbox has it.

const refreshMillis = 2000
const maxShown = 300
const message = document.getElementById("message")
const pause = document.getElementById("pause")

const line = (...content) => {
  const made = document.createElement("p")
  made.append(...content)
  return made
}

const say = (lines, refused = false) => {
  message.classList.toggle("refused", refused)
  message.replaceChildren(...lines)
}

const top = document.createComment("where the message of a button is")
message.before(top)

/** Moves the message below the form that is sent, or back to the top. A live part may lose what is in it. */
const place = (form) => (form?.closest("[data-live]") ?? form ?? top).after(message)

/** A secret that is shown once, with a button that copies it. */
const secretLine = (secret) => {
  const shown = document.createElement("code")
  shown.textContent = secret
  const copy = document.createElement("button")
  copy.type = "button"
  copy.textContent = "Copy"
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(secret)
      copy.textContent = "Copied"
    } catch {
      // Without permission, or under a name over plain http: the person copies it.
      getSelection().selectAllChildren(shown)
      copy.textContent = "Selected: copy it with Ctrl+C"
    }
  })
  return line("Shown once: ", shown, " ", copy)
}

const secretOf = ({ key, secret }) => secret ?? (typeof key === "object" ? key?.key : key)

const hidden = (json, secret) => {
  const text = JSON.stringify(json)
  const shown = secret === undefined ? text : text.replaceAll(JSON.stringify(secret), '"…"')
  return shown.length > maxShown ? `${shown.slice(0, maxShown)}…` : shown
}

/** The whole of an answer, to read. */
const whole = (json) => {
  const shown = document.createElement("pre")
  shown.tabIndex = 0
  shown.textContent = JSON.stringify(json, null, 2)
  return shown
}

const send = async (method, path, body) => {
  const call = `${method} ${path}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`
  say([line(`${call} …`)])
  try {
    const answer = await fetch(path, {
      method,
      ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
    })
    const json = await answer.json()
    if (!answer.ok) {
      say([line(call), line(`${answer.status} ${json.code}: ${json.message}`)], true)
      return
    }
    const secret = secretOf(json)
    say([
      line(call),
      ...(method === "GET" ? [line(answer.status), whole(json)] : [line(`${answer.status} ${hidden(json, secret)}`)]),
      ...(secret === undefined ? [] : [secretLine(secret)])
    ])
  } catch {
    say([line(call), line("The sandbox does not answer. Is it still running?")], true)
  }
  // The fields have done their work: what they say of before must not be sent again.
  await refresh(true)
}

const parsed = (text) => (text ? JSON.parse(text) : undefined)

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-path]")
  if (button === null) return
  const { body, method, path } = button.dataset
  place()
  send(method, path, parsed(body))
})

const listed = (value) => value.split(/[\s,]+/).filter((each) => each !== "")

/** How a field's text is read, by its `data-type`. */
const readers = {
  text: (value) => value,
  flag: (value) => value === "true",
  number: Number,
  json: JSON.parse,
  texts: listed,
  numbers: (value) => listed(value).map(Number)
}

/** Puts a value where its name leads, such as `seller.type`. */
const put = (record, name, value) => {
  const [key, ...within] = name.split(".")
  if (within.length === 0) record[key] = value
  else put((record[key] ??= {}), within.join("."), value)
}

/** The call that a form's fields make. An empty field is left out. */
const callOf = (form) => {
  const { body, into, method } = form.dataset
  const fields = {}
  const query = new URLSearchParams()
  let { path } = form.dataset
  for (const { dataset, multiple, name, selectedOptions, value: text } of form.elements) {
    const value = multiple ? [...selectedOptions].map((option) => option.value) : text
    if (!name || value.length === 0) continue
    if (dataset.place === "path") path = path.replace(`{${name}}`, encodeURIComponent(value))
    else if (dataset.place === "query") query.append(name, value)
    else put(fields, name, readers[dataset.type](value))
  }
  const rest = parsed(body)
  const sent = into ? { ...rest, [into]: [...rest[into], fields] } : rest && { ...rest, ...fields }
  return [method, query.size === 0 ? path : `${path}?${query}`, sent]
}

document.addEventListener("submit", (event) => {
  if (event.target.dataset.path === undefined) return
  event.preventDefault()
  place(event.target)
  try {
    send(...callOf(event.target))
  } catch (error) {
    say([line(`This is not JSON: ${error.message}`)], true)
  }
})

/** What the sandbox sent for each live part, before anybody opened something in it. */
const sent = new Map()
const parts = () => document.querySelectorAll("[data-live]")
for (const part of parts()) sent.set(part.id, part.innerHTML)

/** Somebody writes there, or marks a text to copy it. */
const isInUse = (part, isSent) => {
  const selection = getSelection()
  const writes =
    !isSent && document.activeElement?.matches("input, select, textarea") && part.contains(document.activeElement)
  return writes || (!selection.isCollapsed && part.contains(selection.anchorNode))
}

const nameOf = ({ dataset, href, id, tagName, textContent }) =>
  [tagName, id, href, dataset.method, dataset.path, dataset.body, textContent.trim()].join(" ")

/** Puts other content there; what has the focus, is open or was scrolled stays so. */
const replace = (part, fresh) => {
  const focused = part.contains(document.activeElement) ? nameOf(document.activeElement) : undefined
  const open = [...part.querySelectorAll("details[open]")].map(({ id }) => id)
  const scrolled = [...part.querySelectorAll(".scroll, pre")].map((box) => [box.scrollLeft, box.scrollTop])
  part.replaceChildren(...fresh.childNodes)
  for (const id of open) document.getElementById(id)?.setAttribute("open", "")
  for (const [at, box] of [...part.querySelectorAll(".scroll, pre")].entries())
    box.scrollTo(...(scrolled[at] ?? [0, 0]))
  if (focused === undefined) return
  const again = [...part.querySelectorAll("a, button, summary, [tabindex]")].find((each) => nameOf(each) === focused)
  ;(again ?? part).focus({ preventScroll: true })
}

let isLost = false

const refresh = async (isSent = false) => {
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } })
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html")
    for (const part of parts()) {
      const next = fresh.getElementById(part.id)
      if (next === null || next.innerHTML === sent.get(part.id) || isInUse(part, isSent)) continue
      sent.set(part.id, next.innerHTML)
      replace(part, next)
    }
    if (isLost) say([line("The sandbox answers again.")])
    isLost = false
  } catch {
    if (!isLost) say([line("The sandbox does not answer; this page goes on asking.")], true)
    isLost = true
  }
}

const isPaused = () => pause.getAttribute("aria-pressed") === "true"

pause.hidden = false
pause.addEventListener("click", () => pause.setAttribute("aria-pressed", String(!isPaused())))

const keepFresh = async () => {
  if (document.visibilityState === "visible" && !isPaused()) await refresh()
  setTimeout(keepFresh, refreshMillis)
}
setTimeout(keepFresh, refreshMillis)
