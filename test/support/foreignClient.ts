import type { App } from "./app.ts"

/** Makes a token with these scopes and returns its secret. */
export const secretOf = async (app: App, scopes: ReadonlyArray<string>): Promise<string> =>
  (await (await app.owner("POST", "/api/tokens", { name: crypto.randomUUID(), scopes })).json()).secret

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes
  readonly body: any
}

export type Ask = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>
) => Promise<Answer>

/** A client of another program's API; without scopes, one without a token. */
export const foreignClient = async (app: App, ...scopes: ReadonlyArray<string>): Promise<Ask> => {
  const secret = scopes.length === 0 ? undefined : await secretOf(app, scopes)
  return async (method, path, body, headers = {}) => {
    const answer = await app.request(method, path, body, {
      ...(secret === undefined ? {} : { authorization: `Token ${secret}` }),
      ...headers
    })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: (answer.headers.get("content-type") ?? "").includes("json") ? JSON.parse(text) : undefined
    }
  }
}
