import { afterAll, describe, expect } from "bun:test"
import { FastCheck as fc, Option } from "effect"
import {
  decodeCursor,
  decodePublicCursor,
  encodeCursor,
  encodePublicCursor
} from "../../src/http/ListParams.ts"
import { makeApp } from "../support/app.ts"
import { always, alwaysAsync, deepJson, strangeJson, strangeText } from "../support/strange.ts"

const app = makeApp()
afterAll(() => app.dispose())
const ready = (async () => {
  for (let n = 0; n < 6; n++)
    await app.capture({ url: `https://example.org/${n}?t=Title+${n}`, note: "a note" })
  const { links } = await (await app.owner("GET", "/api/links")).json()
  const ids = links.map(({ id }: { readonly id: number }) => id)
  await app.owner("POST", "/api/mutate", { op: "shareable", ids: ids.slice(0, 4), shareable: true })
})()

/** Holds of every answer: the contract's statuses, and where it refuses, a sentence that repeats nothing of the request. */
const answers = async (asking: Promise<Response>, allowed: ReadonlyArray<number>) => {
  const answer = await asking
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

/** Parameters as no program writes them. */
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
    "is answered or refused in a sentence, whatever parameters it is asked with",
    fc.oneof(parameters, raw),
    async (query) => {
      await ready
      await answers(app.owner("GET", `/api/links?${query}`), [200, 400])
      await answers(app.request("GET", `/list/api/links?${query}`), [200, 400])
      await answers(app.owner("GET", `/api/links/some?${query}`), [200, 400])
      await answers(app.request("GET", `/list/image?${query}`), [200, 400, 404])
    }
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
    "goes on from any cursor, or refuses it",
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
      await answers(app.owner("GET", `/api/links?cursor=${cursor}${more}`), [200, 400])
      await answers(app.request("GET", `/list/api/links?cursor=${cursor}${more}`), [200, 400])
    }
  )
})

describe("a cursor", () => {
  const sorted = fc.record({
    sort: fc.constantFrom("newest" as const, "oldest" as const, "title" as const, "relevance" as const),
    value: fc.oneof(strangeText(4), fc.integer()),
    id: fc.integer()
  })
  const filed = fc.record({
    sort: fc.constant("collection" as const),
    value: fc.tuple(fc.option(strangeText(4)), strangeText(2)),
    id: fc.integer()
  })
  always("comes back as it was, in whole characters", fc.oneof(sorted, filed), (cursor) => {
    const text = encodeCursor(cursor)
    expect(text).toMatch(/^[\w-]+$/)
    expect(Option.getOrNull(decodeCursor(text))).toEqual(cursor)
  })

  const seen = fc.nat(1_000_000)
  const publicPlace = fc.oneof(
    fc.record({ sort: fc.constant("relevance" as const), value: seen, seen: fc.constant(0 as const) }),
    fc.record({
      sort: fc.constantFrom("newest" as const, "oldest" as const, "title" as const),
      value: strangeText(4),
      seen
    }),
    fc.record({
      sort: fc.constant("collection" as const),
      value: fc.tuple(fc.option(strangeText(4)), strangeText(2)),
      seen
    })
  )
  always("of the public list comes back as it was, in whole characters", publicPlace, (cursor) => {
    const text = encodePublicCursor(cursor)
    expect(text).toMatch(/^[\w-]+$/)
    expect(Option.getOrNull(decodePublicCursor(text))).toEqual(cursor)
  })

  always("of anything is none of the public's", strangeText(20), (text) =>
    expect(Option.isNone(decodePublicCursor(text))).toBe(true)
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
    "is made or refused in a sentence, whatever is sent",
    body,
    async (text) => {
      await ready
      await answers(app.owner("POST", "/api/mutate", text), [200, 400, 404, 409, 413])
      await answers(app.owner("GET", "/api/links?limit=3&sort=title"), [200])
    },
    80
  )

  alwaysAsync(
    "or a save is the same, through either door",
    fc.oneof(
      body,
      strangeJson(fields).map((value) => JSON.stringify(value))
    ),
    async (text) => {
      await answers(app.owner("POST", "/api/links", text), [200, 202, 400, 413])
      await answers(app.capture(text), [200, 202, 400, 413])
    },
    40
  )

  alwaysAsync(
    "or an action is the same",
    fc.oneof(
      strangeJson(fields).map((value) => JSON.stringify(value)),
      fc
        .constantFrom("constructor", "__proto__", "toString", "refresh", "")
        .map((action) => JSON.stringify({ action }))
    ),
    async (text) => answers(app.owner("POST", "/api/action", text), [200, 202, 400, 404, 409, 413]),
    60
  )
})

describe("an address of the service", () => {
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
    "is answered by the contract's statuses, whatever it is",
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
    }
  )
})
