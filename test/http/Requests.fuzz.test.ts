import { afterAll, describe, expect } from "bun:test"
import { FastCheck as fc } from "effect"
import { makeApp } from "../support/app.ts"
import { alwaysAsync, deepJson, strangeJson, strangeText } from "../support/strange.ts"

const app = makeApp()
afterAll(() => app.dispose())
const ready = (async () => {
  for (let n = 0; n < 6; n++)
    await app.capture({ url: `https://example.org/${n}?t=Title+${n}`, note: "a note" })
  const { links } = await (await app.owner("GET", "/api/links")).json()
  const ids = links.map(({ id }: { readonly id: number }) => id)
  await app.owner("POST", "/api/mutate", { op: "shareable", ids: ids.slice(0, 4), shareable: true })
})()

/** Expects one of these statuses, and a sentence in the contract's form where the request is rejected. */
const expectStatus = async (request: Promise<Response>, allowed: ReadonlyArray<number>) => {
  const answer = await request
  const text = await answer.text()
  expect([answer.status, allowed, text.slice(0, 300)]).toEqual([
    allowed.includes(answer.status) ? answer.status : -1,
    allowed,
    text.slice(0, 300)
  ])
  if (answer.status >= 400) {
    const { error, message } = JSON.parse(text)
    expect(error).toMatch(/^[a-z_]+$/)
    expect(message).toMatch(/^[A-Z].{3,400}\.$/s)
  }
}

const names = "q category tag collection limit sort cursor favorite shareable like ids url kind".split(" ")
const values = fc.oneof(
  strangeText(4),
  fc.constantFrom(
    ..."true false 0 1 -1 1000 1001 none newest oldest title collection relevance 1e3 999999999999999 %".split(
      " "
    )
  ),
  fc.integer().map(String)
)
const parameters = fc
  .array(
    fc.tuple(
      fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: strangeText(2) }),
      values
    ),
    {
      maxLength: 5
    }
  )
  .map((pairs) =>
    new URLSearchParams(pairs.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()])).toString()
  )

/** Malformed parameters. */
const raw = fc
  .array(
    fc.oneof(
      parameters,
      fc.constantFrom("%", "%zz", "&", "=", "?", "q=%ff%fe", "q=%00", "limit=%31", "&&&", "q[]=x")
    ),
    { maxLength: 3 }
  )
  .map((parts) => parts.join("&"))

describe("a list", () => {
  alwaysAsync(
    "answers or rejects any parameters",
    fc.oneof(parameters, raw),
    async (query) => {
      await ready
      await expectStatus(app.owner("GET", `/api/links?${query}`), [200, 400])
      await expectStatus(app.request("GET", `/list/api/links?${query}`), [200, 400])
      await expectStatus(app.owner("GET", `/api/links/some?${query}`), [200, 400])
      await expectStatus(app.request("GET", `/list/image?${query}`), [200, 400, 404])
    },
    100
  )

  const place = fc.oneof(
    fc.tuple(
      fc.constantFrom("newest", "oldest", "title", "relevance"),
      fc.oneof(strangeText(3), fc.double({ noNaN: true })),
      fc.integer()
    ),
    fc.tuple(fc.constant("collection"), fc.tuple(fc.option(strangeText(3)), strangeText(2)), fc.integer()),
    strangeJson()
  )
  alwaysAsync(
    "accepts or rejects any cursor",
    fc.tuple(
      place,
      fc.constantFrom(
        "",
        "&q=title",
        "&sort=title",
        "&sort=collection",
        "&sort=oldest",
        "&limit=2",
        "&like=1"
      )
    ),
    async ([from, more]) => {
      await ready
      const cursor = Buffer.from(JSON.stringify(from) ?? "").toString("base64url")
      await expectStatus(app.owner("GET", `/api/links?cursor=${cursor}${more}`), [200, 400])
      await expectStatus(app.request("GET", `/list/api/links?cursor=${cursor}${more}`), [200, 400])
    },
    100
  )
})

describe("a change", () => {
  const fields =
    "op ids favorite shareable category collection title summary into token action url note id".split(" ")
  const ops = "favorite shareable category collection edit merge delete undo".split(" ")
  const ids = fc.oneof(fc.array(fc.integer({ min: -1, max: 8 }), { maxLength: 3 }), strangeJson())
  const change = fc
    .tuple(fc.constantFrom(...ops), ids, strangeText(5), fc.boolean(), strangeJson(fields))
    .map(([op, all, text, flag, other]) => ({
      op,
      ids: all,
      favorite: flag,
      shareable: flag,
      category: text,
      collection: flag ? text : null,
      title: text,
      summary: text,
      into: 1,
      token: other
    }))
  const body = fc.oneof(
    { weight: 4, arbitrary: change.map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: strangeJson(fields).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: strangeText(6).map((text) => text.toWellFormed()) },
    {
      weight: 1,
      arbitrary: fc
        .integer({ min: 1, max: 100_000 })
        .map((depth) => `{"op":"edit","ids":[1],"title":${deepJson(depth)}}`)
    },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 100_000 }).map((depth) => deepJson(depth)) }
  )

  alwaysAsync(
    "is made or rejected, whatever the body",
    body,
    async (text) => {
      await ready
      await expectStatus(app.owner("POST", "/api/mutate", text), [200, 400, 404, 409, 413])
      await expectStatus(app.owner("GET", "/api/links?limit=3&sort=title"), [200])
    },
    80
  )

  alwaysAsync(
    "by a save or a capture is made or rejected too",
    fc.oneof(
      body,
      strangeJson(fields).map((value) => JSON.stringify(value))
    ),
    async (text) => {
      await expectStatus(app.owner("POST", "/api/links", text), [200, 202, 400, 413])
      await expectStatus(app.capture(text), [200, 202, 400, 413])
    },
    40
  )

  alwaysAsync(
    "by an action is made or rejected too",
    fc.oneof(
      strangeJson(fields).map((value) => JSON.stringify(value)),
      fc
        .constantFrom("constructor", "__proto__", "toString", "refresh", "")
        .map((action) => JSON.stringify({ action }))
    ),
    async (text) => expectStatus(app.owner("POST", "/api/action", text), [200, 202, 400, 404, 409, 413]),
    60
  )
})

describe("a path", () => {
  const path = fc
    .array(
      fc.oneof(
        strangeText(2).map((text) => encodeURIComponent(text.toWellFormed())),
        fc.constantFrom(
          "dashboard",
          "api",
          "links",
          "list",
          "..",
          "%2e%2e",
          "%2f",
          "%00",
          "assets",
          "1",
          "image",
          "feed.xml"
        )
      ),
      { maxLength: 5 }
    )
    .map((segments) => `/${segments.join("/")}`)
  alwaysAsync(
    "is answered with a status of the contract, whatever it is",
    fc.tuple(fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"), path),
    async ([method, at]) => {
      const answer = await app.request(
        method,
        at,
        method === "GET" || method === "OPTIONS" ? undefined : "{}"
      )
      await answer.arrayBuffer()
      expect([200, 204, 302, 303, 307, 308, 400, 401, 403, 404, 405, 415]).toContain(answer.status)
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff")
    },
    100
  )
})
