// The page of the control room: it shows what the control routes return, and each button calls one of them.

const byId = (id) => document.getElementById(id)

const say = (text, refused = false) => {
  const message = byId("message")
  message.textContent = text
  message.classList.toggle("refused", refused)
}

const ask = async (path, { method = "GET", body, headers = {} } = {}) => {
  const answer = await fetch(path, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const json = await answer.json()
  if (!answer.ok) throw Object.assign(new Error(`${json.code}: ${json.message}`), { code: json.code })
  return json
}

const post = (path, body, headers) => ask(path, { method: "POST", body, headers })

/** A button that does something, shows the market again, and then reports the result. */
const button = (label, act) => {
  const made = document.createElement("button")
  made.textContent = label
  made.addEventListener("click", async () => {
    const outcome = await act().then(
      (text) => [text],
      (error) => [error.message, true]
    )
    await show()
    say(...outcome)
  })
  return made
}

const cell = (content) => {
  const made = document.createElement("td")
  if (typeof content === "number") made.className = "number"
  if (content instanceof Node) made.append(content)
  else if (Array.isArray(content)) made.append(...content)
  else made.textContent = content ?? ""
  return made
}

const table = (columns, rows, none) => {
  const box = document.createElement("div")
  if (rows.length === 0) {
    box.className = "none"
    box.textContent = none
    return box
  }
  box.className = "scroll"
  box.tabIndex = 0
  const made = document.createElement("table")
  const head = made.createTHead().insertRow()
  for (const column of columns) {
    const title = document.createElement("th")
    title.scope = "col"
    title.textContent = column
    head.append(title)
  }
  const body = made.createTBody()
  for (const row of rows) body.insertRow().append(...row.map(cell))
  box.append(made)
  return box
}

const words = (name) => name.replaceAll("_", " ")
const needsAmount = new Set(["resolved_partial_refund", "resolved_goodwill_refund"])

/** Only its seller ships a tracked parcel: with a key of the account that lasts for a single request. */
const shipAsSeller = async ({ orderNumber, sellerId }) => {
  const { id, key } = await post(`/sandbox/accounts/${sellerId}/keys`, { scopes: ["sales:write"] })
  try {
    const shipped = { trackingNumber: `PARCEL-${orderNumber}` }
    return await post(`/v1/sales/${orderNumber}/mark-shipped`, shipped, { authorization: `Bearer ${key}` })
  } finally {
    await ask(`/sandbox/keys/${id}`, { method: "DELETE" })
  }
}

const takeStep = async (order, to) => {
  const amount = needsAmount.has(to) ? { amount: Number(byId("amount").value) } : {}
  try {
    return await post(`/sandbox/orders/${order.orderNumber}/steps`, { to, ...amount })
  } catch (error) {
    if (error.code !== "TRACKING_NUMBER_REQUIRED") throw error
    return shipAsSeller(order)
  }
}

const stepButton = (order, to) =>
  button(words(to), async () => `${order.orderNumber} is ${words((await takeStep(order, to)).status)}`)

const showOrders = async (names) => {
  const { data } = await ask("/sandbox/orders?limit=100")
  const rows = data.map((order) => [
    order.orderNumber,
    words(order.status),
    names.get(order.sellerId),
    names.get(order.buyerId),
    `${order.total.amount.toFixed(2)} ${order.total.currency}`,
    order.placedAt,
    order.next.map((to) => stepButton(order, to))
  ])
  byId("orders").replaceChildren(
    table(["order", "status", "seller", "buyer", "total", "placed", "next step"], rows, "There are no orders.")
  )
}

const attemptText = ({ attemptedAt, error, status }) => `${attemptedAt} ${status ?? error ?? "no answer"}`

const attemptList = (attempts) => {
  const list = document.createElement("div")
  for (const attempt of attempts) {
    const line = document.createElement("div")
    line.textContent = attemptText(attempt)
    list.append(line)
  }
  return list
}

const showEndpoints = (endpoints, names) => {
  const rows = endpoints.map(({ accountId, disabledAt, failingSince, id, url }) => [
    names.get(accountId),
    url,
    failingSince,
    disabledAt,
    button(disabledAt === null ? "switch off" : "switch on", async () => {
      const change = { enabled: disabledAt !== null }
      const endpoint = await ask(`/sandbox/webhooks/${id}`, { method: "PATCH", body: change })
      return `${endpoint.url} is ${endpoint.disabledAt === null ? "on" : "off"}`
    })
  ])
  const columns = ["account", "endpoint", "failing since", "switched off", ""]
  const none = "There are no webhooks. Add one with: POST /sandbox/webhooks {accountId, url}"
  byId("endpoints").replaceChildren(table(columns, rows, none))
}

const showDeliveries = async (endpoints) => {
  const { data } = await ask("/sandbox/deliveries?limit=100")
  const addresses = new Map(endpoints.map(({ id, url }) => [id, url]))
  const rows = data.map(({ attempts, endpointId, eventId, id, nextAttemptAt, state, type }) => [
    eventId,
    type,
    addresses.get(endpointId),
    state,
    attemptList(attempts),
    nextAttemptAt,
    button("replay", async () => {
      await post(`/sandbox/deliveries/${id}/replay`)
      return `${eventId} is sent again`
    })
  ])
  const columns = ["event", "type", "endpoint", "state", "attempts", "next attempt", ""]
  byId("deliveries").replaceChildren(table(columns, rows, "Nothing was delivered."))
}

const showAccounts = (accounts) => {
  const rows = accounts.map(({ country, id, seller, username }) => [
    username,
    country,
    seller === null ? "" : `${seller.type}, ${seller.currency}`,
    seller?.status,
    button("new key", async () => {
      const { key } = await post(`/sandbox/accounts/${id}/keys`, { scopes: ["*"] })
      return `The new key of ${username}, shown once: ${key}`
    })
  ])
  byId("accounts").replaceChildren(table(["account", "country", "sells", "status", ""], rows, "There are no accounts."))
}

const showKeys = async (names) => {
  const { data } = await ask("/sandbox/keys")
  const revoke = ({ ending, id }) =>
    button("revoke", async () => {
      await ask(`/sandbox/keys/${id}`, { method: "DELETE" })
      return `…${ending} is revoked`
    })
  const rows = data.map((key) => [
    `…${key.ending}`,
    names.get(key.accountId),
    key.scopes.join(" "),
    key.createdAt,
    key.revokedAt,
    key.revokedAt === null ? revoke(key) : ""
  ])
  byId("keys").replaceChildren(
    table(["key", "account", "scopes", "created", "revoked", ""], rows, "There are no keys.")
  )
}

let chosenTable

const showTables = async () => {
  const { data } = await ask("/sandbox/tables")
  byId("tables").replaceChildren(
    ...data.map(({ name, rows }) => {
      const made = document.createElement("button")
      made.textContent = `${name} ${rows}`
      made.setAttribute("aria-pressed", String(name === chosenTable))
      made.addEventListener("click", async () => {
        chosenTable = name
        await showTables()
      })
      return made
    })
  )
  if (chosenTable === undefined) return
  const { columns, rows } = await ask(`/sandbox/tables/${chosenTable}`)
  byId("table").replaceChildren(table(columns, rows, `${chosenTable} is empty.`))
}

const show = async () => {
  const { now } = await ask("/sandbox/clock")
  document.querySelector("#clock time").textContent = now
  const accounts = (await ask("/sandbox/accounts")).data
  const names = new Map(accounts.map(({ id, username }) => [id, username]))
  await showOrders(names)
  const endpoints = (await ask("/sandbox/webhooks")).data
  showEndpoints(endpoints, names)
  await showDeliveries(endpoints)
  showAccounts(accounts)
  await showKeys(names)
  await showTables()
}

for (const wait of document.querySelectorAll("#waits button")) {
  const seconds = Number(wait.dataset.seconds)
  const pass = async () => `It is ${(await post("/sandbox/clock", { seconds })).now}`
  wait.replaceWith(button(wait.textContent, pass))
}
show().catch((error) => say(error.message, true))
