import { Context, Schema } from "effect"
import type { HttpMethod, HttpRouter } from "effect/http"
import { HttpApi, HttpApiEndpoint, OpenApi } from "effect/http-api"
import { Bucket, type OperationBucket } from "../../feed/contract/Bucket.ts"
import { NotFound } from "../../feed/contract/Errors.ts"
import { needs, type Scope } from "../../feed/contract/Authorization.ts"

type Fields = Schema.Struct.Fields
type Errors = ReadonlyArray<Schema.Top>

type NameIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${string}`
    ? Name
    : Rest
  : never

/** `Value` if the path has a parameter. No path has two. */
type IfNamed<Path extends string, Value> = [NameIn<Path>] extends [never] ? never : Value

/**
 * Creates operations that share `errors` and the scope of their key. Each row has method, name, path, summary, input
 * and output. A path parameter is a text that may match nothing, unless `params` has its schema.
 */
export const operations =
  <const Shared extends Errors>(shared: Shared, scope?: Scope, parsing = Context.empty()) =>
  <
    const Method extends HttpMethod.HttpMethod,
    const Name extends string,
    const Path extends HttpRouter.PathInput,
    const Success extends HttpApiEndpoint.SuccessConstraint,
    Params extends Fields = IfNamed<Path, { readonly [Name in NameIn<Path>]: typeof Schema.String }>,
    Query extends Fields = never,
    Payload extends HttpApiEndpoint.PayloadConstraintCodecs<Method> = never,
    const Own extends Errors = readonly []
  >(
    method: Method,
    name: Name,
    path: Path,
    summary: string,
    row: {
      readonly params?: Params
      readonly query?: Query
      readonly payload?: Payload
      readonly success: Success
      readonly error?: Own
      readonly bucket?: OperationBucket
    }
  ) => {
    const { bucket, error = [], ...rest } = row
    const parameter = /:(\w+)/.exec(path)?.[1]
    const options =
      parameter === undefined
        ? { ...rest, error: [...shared, ...error] }
        : { params: { [parameter]: Schema.String }, ...rest, error: [...shared, NotFound, ...error] }
    return HttpApiEndpoint.make(method)<
      Name,
      Path,
      Params,
      Query,
      Payload,
      never,
      Success,
      ReadonlyArray<Shared[number] | Own[number] | IfNamed<Path, typeof NotFound>>
    >(name, path, options as never)
      .annotate(OpenApi.Summary, summary)
      .annotateMerge(scope === undefined ? Context.empty() : needs(scope))
      .annotateMerge(bucket === undefined ? Context.empty() : Context.make(Bucket, bucket))
      .annotateMerge(parsing)
  }

const closed = { onExcessProperty: "error" } as const

/** Refuses unknown keys of a query or a body, which an operation ignores otherwise. */
const closedInput = Context.make(HttpApi.QueryParseOptions, closed).pipe(
  Context.add(HttpApi.PayloadParseOptions, closed)
)

/** Creates a control route: without shared errors or a key. A misspelled key is refused. */
export const route = operations([], undefined, closedInput)
