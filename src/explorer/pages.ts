import type { Effect, Scope } from "effect"
import type { Home } from "../lake/Home.ts"
import type { LakeError } from "../lake/LakeError.ts"
import type { Asked, AskedWrongly, NotThere, Page } from "./Asked.ts"
import { overviewPage } from "./pages/overviewPage.ts"
import { productPage } from "./pages/productPage.ts"
import { searchPage } from "./pages/searchPage.ts"

export type PageOf = (asked: Asked) => Effect.Effect<Page, LakeError | NotThere | AskedWrongly, Home | Scope.Scope>

const at = (pathname: string, page: PageOf) => ({ pattern: new URLPattern({ pathname }), page })

/** Every page by its address. */
export const pages = [at("/", overviewPage), at("/search", searchPage), at("/games/:game/products/:id", productPage)]
