/** Params of requests, and requests themselves. */
export type Message = Readonly<Record<string, unknown>>

const clientInfo = { name: "test", version: "1" }

/** The params of the request that opens a session. */
export const opening: Message = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo }

/** The params of every request in the revision without sessions. */
export const stateless = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": clientInfo,
    "io.modelcontextprotocol/clientCapabilities": {}
  }
}
