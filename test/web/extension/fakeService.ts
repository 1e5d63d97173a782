import type { Fetch } from "../../../web/extension/request.ts"
import { defaults, type Settings } from "../../../web/extension/settings.ts"

export const settings: Settings = { ...defaults, address: "https://links.example.org", token: "secret" }

/** A request. */
export interface Asked {
  readonly address: string
  readonly init: RequestInit
}

/** A `fetch` that responds with `answer` of the path; null is a network failure. */
export const fakeFetch = (answer: (path: string) => Response | null) => {
  const asked: Array<Asked> = []
  const fetch: Fetch = async (address, init) => {
    asked.push({ address, init })
    const response = answer(new URL(address).pathname)
    if (response === null) throw new TypeError("Failed to fetch")
    return response
  }
  return { asked, fetch }
}

export const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  Response.json(body, { status, headers })

/** A page that a gateway or a hotel's network returns for any request. */
export const page = (status: number) =>
  new Response("<!doctype html><title>Sign in</title>", {
    status,
    headers: { "content-type": "text/html; charset=utf-8" }
  })
