import {
  HttpApiEndpoint,
  HttpApiGroup,
  type HttpApiMiddleware,
  type HttpMethod,
  OpenApi
} from "@effect/platform"
import type { Schema } from "effect"
import { jsonPayload } from "./Input.ts"
import { JsonBody } from "./Middleware.ts"

/** An endpoint as a row: its inputs, its answer and its failures. */
interface Row {
  readonly path?: Schema.Schema.Any
  readonly query?: Schema.Schema.Any
  readonly headers?: Schema.Schema.Any
  /** A body of JSON, which is read within the limits of `JsonBody`. */
  readonly body?: Schema.Schema.AnyNoContext
  /** An answer without a schema is 204. */
  readonly answer?: Schema.Schema.Any
  readonly status?: number
  /** Failures beside those of the group. */
  readonly fails?: ReadonlyArray<Schema.Schema.AnyNoContext>
  /** Details for the documentation, as Markdown. */
  readonly more?: string
}

type Given<R extends Row, Key extends keyof Row, Otherwise = never> = R extends {
  readonly [K in Key]: infer S extends Schema.Schema.Any
}
  ? Schema.Schema.Type<S>
  : Otherwise
type Reads<R extends Row> = R extends { readonly body: Schema.Schema.Any } ? JsonBody : never
type Fails<R extends Row> = R extends { readonly fails: ReadonlyArray<infer S extends Schema.Schema.Any> }
  ? Schema.Schema.Type<S>
  : never

type Endpoint<
  Name extends string,
  Method extends HttpMethod.HttpMethod,
  R extends Row
> = HttpApiEndpoint.HttpApiEndpoint<
  Name,
  Method,
  Given<R, "path">,
  Given<R, "query">,
  Given<R, "body">,
  Given<R, "headers">,
  Given<R, "answer", void>,
  Fails<R> | HttpApiMiddleware.HttpApiMiddleware.Error<Reads<R>>,
  Reads<R>
>

type Whole = HttpApiEndpoint.HttpApiEndpoint.AnyWithProps

/** Begins an endpoint whose schemas the rows' types declare. */
function begin(method: HttpMethod.HttpMethod, name: string, path: HttpApiEndpoint.PathSegment): Whole
function begin(
  method: HttpMethod.HttpMethod,
  name: string,
  path: HttpApiEndpoint.PathSegment
): HttpApiEndpoint.HttpApiEndpoint.Any {
  return HttpApiEndpoint.make(method)(name, path)
}

function beginGroup(name: string): HttpApiGroup.HttpApiGroup.AnyWithProps
function beginGroup(name: string): HttpApiGroup.HttpApiGroup.Any {
  return HttpApiGroup.make(name)
}

const endpoint = <Method extends HttpMethod.HttpMethod>(method: Method) => {
  function declare<Name extends string, const R extends Row>(
    name: Name,
    path: HttpApiEndpoint.PathSegment,
    summary: string,
    row?: R
  ): Endpoint<Name, Method, R>
  function declare(name: string, path: HttpApiEndpoint.PathSegment, summary: string, row: Row = {}) {
    let made = begin(method, name, path)
    if (row.path) made = made.setPath(row.path)
    if (row.query) made = made.setUrlParams(row.query)
    if (row.headers) made = made.setHeaders(row.headers)
    if (row.body) made = made.setPayload(jsonPayload(row.body)).middleware(JsonBody)
    if (row.answer) made = made.addSuccess(row.answer, { status: row.status })
    for (const failure of row.fails ?? []) made = made.addError(failure)
    return made.annotateContext(OpenApi.annotations({ summary, description: row.more }))
  }
  return declare
}

export const get = endpoint("GET")
export const post = endpoint("POST")
export const put = endpoint("PUT")
export const patch = endpoint("PATCH")
export const del = endpoint("DELETE")

/** What the endpoints of a group have in common. */
interface Shared {
  /** The beginning of their paths. */
  readonly place?: HttpApiEndpoint.PathSegment
  readonly fails?: ReadonlyArray<{ readonly schema: Schema.Schema.AnyNoContext }>
  readonly says: string
}
type Failing<S extends Shared> = S extends {
  readonly fails: ReadonlyArray<{ readonly schema: infer One extends Schema.Schema.Any }>
}
  ? Schema.Schema.Type<One>
  : never

/** Makes a group of these endpoints. Its gate is added last: it must refuse a request before `JsonBody` reads the body. */
export function group<
  const Name extends string,
  const S extends Shared,
  const Endpoints extends ReadonlyArray<HttpApiEndpoint.HttpApiEndpoint.Any>
>(
  name: Name,
  shared: S,
  ...endpoints: Endpoints
): HttpApiGroup.HttpApiGroup<Name, Endpoints[number], Failing<S>>
export function group(
  name: string,
  { fails = [], place, says }: Shared,
  ...endpoints: ReadonlyArray<Whole>
): HttpApiGroup.HttpApiGroup.Any {
  let made: HttpApiGroup.HttpApiGroup.AnyWithProps = beginGroup(name)
  for (const endpoint of endpoints) made = made.add(endpoint)
  if (place !== undefined) made = made.prefix(place)
  for (const { schema } of fails) made = made.addError(schema)
  return made.annotate(OpenApi.Description, says)
}
