/**
 * An endpoint of the API: its method, its path below `/api/v1`, the kinds of its arguments in order (`p` path, `b` body, `q`
 * query), and whether it answers with JSON.
 */
export type Endpoint = readonly [method: string, path: string, args: string, isJson: boolean]

interface Options {
  readonly url: string
  readonly token: string
  readonly fetch?: typeof globalThis.fetch
}

type Values = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Values => typeof value === "object" && value !== null

/** An answer of the service that is no success: its status, its code and its sentence, and the scope that the token lacks. */
export class LinkbowerError extends Error {
  readonly status: number
  readonly code: string
  readonly needs: string | undefined
  /** The whole body of the answer, if it was JSON. */
  readonly body: unknown
  constructor(status: number, body: unknown) {
    const said = isRecord(body) ? body : {}
    super(typeof said["message"] === "string" ? said["message"] : `The service answered ${status}.`)
    this.name = "LinkbowerError"
    this.status = status
    this.code = typeof said["error"] === "string" ? said["error"] : "unknown"
    this.needs = typeof said["needs"] === "string" ? said["needs"] : undefined
    this.body = body
  }
}

const isBytes = (body: unknown): body is BodyInit =>
  typeof body === "string" ||
  body instanceof Blob ||
  body instanceof ArrayBuffer ||
  ArrayBuffer.isView(body) ||
  body instanceof ReadableStream

/** Makes the request of an endpoint from the arguments of its function. */
const requestOf = ([method, path, kinds]: Endpoint, given: ReadonlyArray<unknown>) => {
  let place = path
  let query = ""
  let sent: { body?: BodyInit; headers: Record<string, string> } = { headers: {} }
  for (const [at, kind] of [...kinds].entries()) {
    const value = given[at]
    if (kind === "p" && isRecord(value))
      place = place.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(value[name])))
    if (kind === "q" && isRecord(value)) {
      const params = new URLSearchParams()
      for (const [name, one] of Object.entries(value)) if (one !== undefined) params.set(name, String(one))
      query = params.size === 0 ? "" : `?${params}`
    }
    if (kind === "b" && value !== undefined)
      sent = isBytes(value)
        ? { body: value, headers: { "content-type": "application/octet-stream" } }
        : { body: JSON.stringify(value), headers: { "content-type": "application/json" } }
  }
  return { method, place: place + query, sent }
}

/** Makes the client of a library: a function for each endpoint in the table. */
export const makeClient = (
  table: Readonly<Record<string, Endpoint | Readonly<Record<string, Endpoint>>>>
) => {
  const isEndpoint = (one: unknown): one is Endpoint => Array.isArray(one)
  return ({ fetch: send = globalThis.fetch, token, url }: Options) => {
    const base = `${url.replace(/(\/dashboard|\/api\/v1)?\/*$/, "")}/api/v1`
    const call =
      (endpoint: Endpoint) =>
      async (...given: ReadonlyArray<unknown>) => {
        const { method, place, sent } = requestOf(endpoint, given)
        const answer = await send(base + place, {
          method,
          redirect: "error",
          ...sent,
          headers: { accept: "application/json", authorization: `Bearer ${token}`, ...sent.headers }
        })
        if (!answer.ok) throw new LinkbowerError(answer.status, await answer.json().catch(() => undefined))
        const [, , , isJson] = endpoint
        return isJson ? answer.json() : answer
      }
    return Object.fromEntries(
      Object.entries(table).map(([name, one]) => [
        name,
        isEndpoint(one)
          ? call(one)
          : Object.fromEntries(Object.entries(one).map(([inner, endpoint]) => [inner, call(endpoint)]))
      ])
    )
  }
}
