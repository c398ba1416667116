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
      line(`${answer.status} ${hidden(json, secret)}`),
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
  send(method, path, parsed(body))
})

const valueOf = ({ type, value }) =>
  type === "number" ? Number(value) : value.startsWith("{") ? JSON.parse(value) : value

/** What the fields say: those that the path names are in it, the others in the body. */
const callOf = (form) => {
  const { body, into, method } = form.dataset
  const whole = form.querySelector("[data-whole]")
  if (whole !== null) return [method, form.dataset.path, JSON.parse(whole.value)]
  const fields = {}
  let { path } = form.dataset
  for (const field of form.elements) {
    if (!field.name || field.value === "") continue
    if (path.includes(`{${field.name}}`)) path = path.replace(`{${field.name}}`, encodeURIComponent(field.value))
    else fields[field.name] = valueOf(field)
  }
  const rest = parsed(body) ?? {}
  return [method, path, into ? { ...rest, [into]: [...rest[into], fields] } : { ...rest, ...fields }]
}

document.addEventListener("submit", (event) => {
  if (event.target.dataset.path === undefined) return
  event.preventDefault()
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
