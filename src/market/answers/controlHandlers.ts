import type { Layer, Scope } from "effect"
import { HttpApi, HttpApiBuilder, type HttpApiGroup } from "effect/http-api"

type Handlers<Routes extends HttpApiGroup.Constraint> = HttpApiBuilder.Handlers.FromGroup<Routes>

export const controlHandlers = <Routes extends HttpApiGroup.Constraint, Return>(
  routes: Routes,
  build: (handlers: Handlers<Routes>) => HttpApiBuilder.Handlers.ValidateReturn<Return>
): Layer.Layer<
  HttpApiGroup.Service<"control", HttpApiGroup.Identifier<Routes>>,
  HttpApiBuilder.Handlers.Error<Return>,
  Exclude<HttpApiBuilder.Handlers.Context<Return>, Scope.Scope>
> =>
  HttpApiBuilder.group(
    HttpApi.make("control").add(routes),
    routes.identifier as HttpApiGroup.Identifier<Routes>,
    build as never
  )
