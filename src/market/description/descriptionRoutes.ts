import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { readFileSync } from "node:fs"
import { pageHeaders } from "../../pages/pageHeaders.ts"
import { pageStyles } from "../../pages/pageStyles.ts"
import { jsonAnswer } from "../answers/jsonAnswer.ts"
import { originOf } from "../answers/originOf.ts"
import { docsPage } from "./docsPage.ts"
import type { Document } from "./Document.ts"
import { controlDocument, marketplaceDocument } from "./documents.ts"

const served = (document: () => Document, origin: string): Document => {
  const { info, openapi, ...rest } = document()
  return { openapi, info, servers: [{ url: origin, description: "This sandbox" }], ...rest }
}

const documentRoute = (path: `/${string}`, document: () => Document) =>
  HttpRouter.add(
    "GET",
    path,
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      Effect.flatMap(originOf, (origin) => jsonAnswer(request, JSON.stringify(served(document, origin))))
    )
  )

const headers = { ...pageHeaders, "cache-control": "no-cache" }

const styles = () => `${pageStyles()}\n${readFileSync(new URL("./docs.css", import.meta.url), "utf8")}`

const page = Effect.map(originOf, (origin) =>
  HttpServerResponse.text(
    docsPage(
      [
        { title: "Marketplace", address: "/openapi.json", document: marketplaceDocument() },
        { title: "Control routes", address: "/sandbox/openapi.json", document: controlDocument() }
      ],
      origin
    ),
    { contentType: "text/html; charset=utf-8", headers }
  )
)

/** The contract for programs and for people. Without a key. */
export const descriptionRoutes = Layer.mergeAll(
  documentRoute("/openapi.json", marketplaceDocument),
  HttpRouter.add("GET", "/docs", page),
  HttpRouter.add(
    "GET",
    "/docs/docs.css",
    HttpServerResponse.text(styles(), { contentType: "text/css; charset=utf-8", headers })
  ),
  HttpRouter.add("GET", "/", HttpServerResponse.redirect("/docs"))
)

/** That of the control routes, which answers whom they answer. */
export const controlDescription = documentRoute("/sandbox/openapi.json", controlDocument)
