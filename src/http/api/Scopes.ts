import type { Scope } from "../../domain/Token.ts"

/** The place of the owner's API, which programs reach below `/api/v1`. */
export const OWNERS_API = "/dashboard/api"

/** The scopes of which a token needs one; none of them is enough where an endpoint is for the owner alone. */
export type Needs = ReadonlyArray<Scope>

/** Secrets, set-up, sign-in, settings, what outlives a program's token, and what cannot be undone. */
const OWNER: Needs = []
const READ: Needs = ["read"]
const CHANGE: Needs = ["change"]
const DELETE: Needs = ["delete"]

/** Each endpoint's scope; some bodies need more (`makeProgramScopes`). An endpoint without a row is the owner's alone. */
export const scopes: Readonly<Record<string, Needs>> = {
  "GET /links": READ,
  "POST /links": ["save"],
  "GET /links/some": READ,
  "GET /links/keys": READ,
  "GET /links/:id": READ,
  "PUT /links/:id/check": CHANGE,
  "GET /links/:id/image": READ,
  "GET /links/:id/favicon": READ,
  "GET /links/:id/page": READ,
  "GET /links/:id/page/versions": READ,
  "DELETE /links/:id/page": OWNER,
  "GET /links/:id/page/pictures/:picture": READ,
  "GET /links/:id/page.epub": READ,
  "GET /links/:id/page.md": READ,
  "GET /books.epub": READ,
  "GET /books.md": READ,
  "DELETE /pages": OWNER,
  "GET /links/:id/highlights": READ,
  "POST /links/:id/highlights": CHANGE,
  "PATCH /links/:id/highlights": CHANGE,
  "DELETE /links/:id/highlights": DELETE,
  "PATCH /links/:id/highlights/:highlightId": CHANGE,
  "DELETE /links/:id/highlights/:highlightId": DELETE,
  "GET /highlights": READ,
  "GET /highlights.md": READ,
  "GET /highlights.json": READ,
  "GET /links/:id/position": READ,
  "PUT /links/:id/position": CHANGE,
  "GET /meta": READ,
  "GET /sites": READ,
  "GET /statistics": READ,
  "GET /export": READ,
  "POST /import": CHANGE,
  "POST /mutate": ["change", "delete", "share"],
  "POST /action": CHANGE,
  "GET /action/recategorize": READ,
  "GET /jobs": READ,
  "GET /jobs/:id": READ,
  "GET /events": READ,
  // It has the names of programs.
  "GET /changes": OWNER,
  "GET /failures": READ,
  "POST /failures/:id": CHANGE,
  "DELETE /failures/:id": OWNER,
  "GET /tags": READ,
  "GET /tags/:name": READ,
  "PATCH /tags/:name": CHANGE,
  "DELETE /tags/:name": DELETE,
  "GET /categories": READ,
  "GET /categories/:name": READ,
  "PATCH /categories/:name": CHANGE,
  "DELETE /categories/:name": DELETE,
  "GET /collections": READ,
  "POST /collections": CHANGE,
  "GET /collections/:id": READ,
  "PATCH /collections/:id": CHANGE,
  "DELETE /collections/:id": DELETE,
  // Their answers have the secret addresses of feeds.
  "GET /searches": OWNER,
  "POST /searches": OWNER,
  "PATCH /searches/:id": OWNER,
  "DELETE /searches/:id": OWNER,
  "GET /ereaders": OWNER,
  "POST /ereaders": OWNER,
  "DELETE /ereaders": OWNER,
  "GET /setup": OWNER,
  "POST /setup/bot": OWNER,
  "POST /setup/chat": OWNER,
  "POST /setup/extension": OWNER,
  "POST /setup/model": OWNER,
  "POST /setup/test": OWNER,
  "GET /backups": OWNER,
  "POST /backups": OWNER,
  "PATCH /backups": OWNER,
  "GET /sessions": OWNER,
  "DELETE /sessions": OWNER,
  "DELETE /sessions/:id": OWNER,
  "GET /tokens": OWNER,
  "POST /tokens": OWNER,
  "DELETE /tokens/:id": OWNER,
  "POST /tokens/:id/undo": OWNER,
  "POST /authorize": OWNER,
  // Whoever publishes a page can read it then, so both scopes are needed (`SharesApi`).
  "POST /links/:id/share": ["share"],
  "GET /shares": READ,
  "DELETE /shares/:id": ["share"]
}

/** The scopes of which a token needs one for an endpoint, by its method and path. */
export const scopesFor = (method: string, path: string): Needs => {
  const place = path.startsWith(`${OWNERS_API}/`)
    ? path.slice(OWNERS_API.length)
    : path.replace(/^\/api\/v1/, "")
  return scopes[`${method} ${place}`] ?? OWNER
}
