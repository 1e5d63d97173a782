import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { HttpApi } from "@effect/platform"
import { downloads, shellAssets } from "../../dist/app/assets.ts"
import { files as docFiles } from "../../dist/docs/assets.ts"
import { Api } from "../../src/http/api/Api.ts"
import { ask, type RawAnswer } from "../support/raw.ts"
import { rowsOf } from "../support/rows.ts"
import {
  EXTENSION_TOKEN,
  makeWorld,
  type Running,
  startService,
  WEBHOOK_SECRET,
  type World
} from "../support/service.ts"
import { isLong } from "../support/tier.ts"

/**
 * A table of requests and the responses they must get. Each goes over its own socket to the running service, byte by byte,
 * because `fetch` would normalize most of them.
 */

const PUBLIC = "links.example.org"

let world: World
const running: Partial<Record<Mode, Running>> = {}
let token = ""
beforeAll(async () => {
  world = await makeWorld()
  token = await world.gateway.token()
  running.gateway = await startService({ ...world.settings, PUBLIC_URL: `https://${PUBLIC}` })
  running.development = await startService({
    ...world.settings,
    DEV_NO_AUTH: "1",
    PUBLIC_URL: "http://localhost:8787"
  })
})
afterAll(async () => {
  for (const service of Object.values(running)) {
    await service.stop()
    service.clean()
  }
  await world.stop()
})

type Mode = "gateway" | "development"

/**
 * Groups of routes, by the headers of their responses; `refused` requests are rejected before they have a group, and
 * `signin` is the page that a person gets instead of a private one.
 */
type Group = "private" | "door" | "signin" | "capture" | "open" | "file" | "page" | "refused"

interface Row {
  readonly why: string
  readonly mode: Mode
  readonly method: string
  readonly target: string
  readonly lines: ReadonlyArray<string>
  readonly version?: "1.0" | "1.1"
  /** Whether the request carries the owner's token. */
  readonly owner?: boolean
  readonly body?: string
  readonly status: number | "let in"
  readonly group?: Group
  readonly allow?: string
}

const rows: Array<Row> = []
const row = (one: Partial<Row> & Pick<Row, "why" | "target" | "status">) =>
  rows.push({ mode: "gateway", method: "GET", lines: [`Host: ${PUBLIC}`], ...one })

/** Returns the next rows of a list at every call, in turn, so that a few calls see every row; all in the long tier. */
const makeTurn = (most: number) => {
  let taken = 0
  return <A>(all: ReadonlyArray<A>): ReadonlyArray<A> => {
    taken += most
    return isLong ? all : all.filter((_, at) => (at + taken) % all.length < most)
  }
}
const [someSpellings, someForeign, someOwn] = [makeTurn(3), makeTurn(3), makeTurn(1)]

// Paths that are in use.
const asset = shellAssets.dashboard.entry
const archive = downloads[0]?.path ?? "no archive of the extension"
const docFile = docFiles[0]?.path ?? "no file of the documentation"
for (const [target, status, group, allow] of [
  ["/", 200, "door"],
  ["/?x=1", 200, "door"],
  ["/signin", 200, "private"],
  ["/signin/", 200, "private"],
  ["/signin/nowhere", 404, "private"],
  ["/signin/api/nowhere", 404, "private"],
  ["/setup", 403, "private"],
  ["/setup/", 403, "private"],
  ["/setup/nowhere", 403, "private"],
  ["/connect", 403, "private"],
  ["/connect/nowhere", 403, "private"],
  ["/setups", 404, "open"],
  ["/Signin", 404, "open"],
  ["/docs", 200, "page"],
  ["/docs/", 200, "page"],
  ["/docs/start", 200, "page"],
  ["/docs/start/", 200, "page"],
  ["/docs?q=backup", 200, "page"],
  [docFile, 200, "file"],
  ["/docs/nowhere", 404, "open"],
  ["/nowhere", 404, "open"],
  ["/machine%20learning", 404, "open"],
  ["/%C3%BC/%e2%82%ac", 404, "open"],
  ["/a%2564ashboard", 404, "open"],
  ["/c%2B%2B", 404, "open"],
  ["/[x]|y", 404, "open"],
  ["/a:b@c,d", 404, "open"],
  ["/.well-known/security.txt", 404, "open"],
  ["/..well-known", 404, "open"],
  ["/...", 404, "open"],
  ["/.env", 404, "open"],
  ["/healthz", 200, "open"],
  ["/healthz/", 200, "open"],
  ["/healthz/x", 404, "open"],
  ["/openapi.json", 200, "open"],
  ["/opensearch.xml", 200, "open"],
  ["/list", 200, "page"],
  ["/list/", 200, "page"],
  ["/list?q=a%2Fb%20c", 200, "page"],
  ["/list?q=//../..;%2F%5C", 200, "page"],
  ["/list?q=%zz", 200, "page"],
  ["/list?tag=R%26D", 200, "page"],
  ["/list?collection=R%26D", 404, "page"],
  ["/list/api/links", 200, "open"],
  ["/list/api/links?q=%2e%2e%2f%2e%2e", 200, "open"],
  ["/list/api/meta", 200, "open"],
  ["/list/feed.xml", 200, "open"],
  ["/list/image?url=https%3A%2F%2Fexample.org%2F%2Fa%2F..%2Fb", 404, "open"],
  ["/list/favicon?url=https://example.org//a/../b", 404, "open"],
  ["/list/nowhere", 404, "open"],
  ["/list/api", 404, "open"],
  ["/app", 200, "page"],
  ["/app/", 200, "page"],
  ["/app?q=x", 200, "page"],
  ["/app/nowhere.js", 404, "open"],
  ["/app/.", 200, "page"],
  [asset, 200, "file"],
  [shellAssets.page, 200, "file"],
  [archive, 200, "open"],
  ["/feeds", 404, "private"],
  ["/feeds/nowhere", 404, "private"],
  ["/feeds/nowhere/", 404, "private"],
  ["/feeds/a/b", 404, "private"],
  ["/feed", 404, "open"],
  ["/webhook", 405, "private", "POST"],
  ["/webhook/", 405, "private", "POST"],
  ["/webhook/x", 404, "private"],
  ["/capture", 404, "capture"],
  ["/capture/api/link", 405, "capture", "POST"],
  ["/capture/api/nowhere", 404, "capture"],
  ["/dashboard", 403, "private"],
  ["/dashboard/", 403, "private"],
  ["/dashboard?q=x%2Fy", 403, "private"],
  ["/dashboard/duplicates", 403, "private"],
  ["/dashboard/tags/machine%20learning", 403, "private"],
  ["/dashboard/api", 403, "private"],
  ["/dashboard/api/links", 403, "private"],
  ["/dashboard/api/statistics", 403, "private"],
  ["/dashboard/api/action/recategorize", 403, "private"],
  ["/dashboard/api/nowhere", 403, "private"],
  ["/dashboard/service-worker.js", 403, "private"],
  ["/setup/extension/chrome.zip", 403, "private"],
  ["/setup/extension/opera.zip", 403, "private"],
  ["/signin/api/ways", 200, "private"],
  ["/signin/api/ways/", 200, "private"],
  ["/signin/api", 404, "private"],
  ["/signin/api/nowhere", 404, "private"],
  ["/signin/api/passkeys", 403, "private"],
  ["/signins", 404, "open"],
  ["/dashboards", 404, "open"],
  ["/dashboard-x", 404, "open"],
  ["/lists", 404, "open"],
  // Capitals make another path.
  ["/Dashboard", 404, "open"],
  ["/DASHBOARD/api/links", 404, "open"],
  ["/dashboard/API/links", 403, "private"],
  ["/List", 404, "open"],
  ["/WEBHOOK", 404, "open"],
  ["/Capture/api/link", 404, "open"],
  ["/APP", 404, "open"],
  // The server resolves these first.
  ["/list/../dashboard/api/links", 403, "private"],
  ["/list/%2e%2e/dashboard/api/links", 403, "private"],
  ["/./dashboard", 403, "private"],
  ["/dashboard/../list", 200, "page"],
  ["/dashboard/api/../../list/api/links", 200, "open"],
  ["/list\\..\\dashboard\\api\\links", 403, "private"],
  ["/x/..\\dashboard", 403, "private"],
  ["/%2e", 200, "door"],
  ["/../../../etc/passwd", 404, "open"]
] as const)
  row({ why: "a path", target, status, group, ...(allow === undefined ? {} : { allow }) })

// A person in a browser gets the page for signing in, the same at every private address.
const person = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
for (const method of ["GET", "HEAD"])
  for (const target of [
    "/dashboard",
    "/dashboard/tags/a",
    "/dashboard/nowhere",
    "/dashboard/api/links",
    "/dashboard/api/nowhere",
    "/dashboard/service-worker.js",
    "/setup",
    "/setup/nowhere",
    "/connect"
  ])
    row({
      why: "a person",
      method,
      target,
      lines: [`Host: ${PUBLIC}`, person],
      status: 403,
      group: "signin"
    })
row({
  why: "a person with a form",
  method: "POST",
  target: "/dashboard",
  lines: [`Host: ${PUBLIC}`, person],
  status: 403,
  group: "private"
})

// Second spellings of paths that are in use.
const spellings: Record<string, (path: string) => string> = {
  "two slashes first": (path) => `/${path}`,
  "three slashes first": (path) => `//${path}`,
  "two slashes last": (path) => `${path}//`,
  "a letter encoded": (path) => `/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`,
  "a capital encoded": (path) => `/%${path.toUpperCase().charCodeAt(1).toString(16)}${path.slice(2)}`,
  "an encoded slash last": (path) => `${path}%2f`,
  "an encoded slash first": (path) => `/%2F${path.slice(1)}`,
  "an encoded backslash": (path) => `${path}%5c`,
  "an encoded NUL": (path) => `${path}%00`,
  "an encoded line end": (path) => `${path}%0d%0ax:y`,
  "an encoded tab": (path) => `${path}%09`,
  "an encoded DEL": (path) => `${path}%7f`,
  "an encoded C1 control": (path) => `${path}%c2%85`,
  "a semicolon": (path) => `${path};jsessionid=1`,
  "a fragment": (path) => `${path}#x`,
  "no hexadecimal digits": (path) => `${path}%zz`,
  "a percent sign alone": (path) => `${path}%`,
  "half an encoding": (path) => `${path}%4`,
  "bytes that are not UTF-8": (path) => `${path}/%ff`,
  "an overlong slash": (path) => `${path}%c0%af`,
  "an encoded dot": (path) => `${path}/a%2eb`,
  "an encoded tilde": (path) => `${path}/%7eb`
}
for (const path of [
  "/dashboard",
  "/dashboard/api/links",
  "/capture/api/link",
  "/webhook",
  "/list",
  "/list/api/links",
  "/app",
  "/healthz",
  "/docs/start"
])
  for (const [why, spell] of someSpellings(Object.entries(spellings)))
    row({ why, target: spell(path), status: 400, group: "refused" })
for (const target of ["//", "///", "/a//b", "/list/api//links", "/dashboard//", "//links.example.org/x"])
  row({ why: "another spelling", target, status: 400, group: "refused" })
for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "HEAD"])
  row({
    why: "a second spelling by any method",
    method,
    target: "//dashboard/api/mutate",
    status: 400,
    group: "refused"
  })

// Targets in other forms. Bun itself answers invalid ones, and uses only the path of an absolute one.
for (const [target, status, group] of [
  ["http://links.example.org/list", 200, "page"],
  ["http://other.example/list", 200, "page"],
  ["http://links.example.org/dashboard/api/links", 403, "private"],
  ["http://links.example.org//dashboard", 400, "refused"],
  ["https://user:pass@links.example.org/dashboard", 403, "private"],
  ["*", 400, undefined],
  ["list", 400, undefined],
  ["?list", 400, undefined],
  ["links.example.org:443", 400, undefined],
  ["ftp://links.example.org/list", 400, undefined]
] as const)
  row({ why: "a target", target, status, ...(group === undefined ? {} : { group }) })

// Hosts, each with the status of the public list and, in development, of the dashboard's API.
const hosts: ReadonlyArray<readonly [lines: ReadonlyArray<string>, list: number, open: number]> = [
  [["Host: localhost"], 200, 200],
  [["Host: localhost:8787"], 200, 200],
  [["Host: LocalHost:1"], 200, 200],
  [["Host: localhost."], 200, 200],
  [["Host: 127.0.0.1"], 200, 200],
  [["Host: 127.0.0.1:65535"], 200, 200],
  [["Host: 127.255.255.254:80"], 200, 200],
  [["Host: [::1]"], 200, 200],
  [["Host: [::1]:8787"], 200, 200],
  [["Host: [0:0:0:0:0:0:0:1]"], 200, 200],
  [["Host: [::ffff:127.0.0.1]"], 200, 200],
  [["Host: localhost:"], 200, 200],
  [["Host: links.example.org"], 200, 403],
  [["Host: links.example.org:443"], 200, 403],
  [["Host: LINKS.example.org."], 200, 403],
  [["Host: localhost.evil.example"], 200, 403],
  [["Host: evil.localhost"], 200, 403],
  [["Host: 127.0.0.1.nip.io"], 200, 403],
  [["Host: 127.0.0.1.:80"], 200, 200],
  [["Host: 127.1"], 200, 403],
  [["Host: 0x7f.1"], 200, 403],
  [["Host: 2130706433"], 200, 403],
  [["Host: 0177.0.0.1"], 200, 403],
  [["Host: 127.0.0.256"], 200, 403],
  [["Host: 0.0.0.0"], 200, 403],
  [["Host: [::]"], 200, 403],
  [["Host: 192.168.1.2:8787"], 200, 403],
  [["Host: 128.0.0.1"], 200, 403],
  [["Host: [fe80::1]"], 200, 403],
  [["Host: xn--bcher-kva.example"], 200, 403],
  [["Host: linkbower_app_1:8787"], 200, 403],
  [[`Host: ${"a".repeat(63)}.example`], 200, 403],
  [["Host:"], 400, 400],
  [["Host: "], 400, 400],
  [["Host: ."], 400, 400],
  [["Host: :8787"], 400, 400],
  [["Host: localhost:65536"], 400, 400],
  [["Host: localhost:x"], 400, 400],
  [["Host: localhost:-1"], 400, 400],
  [["Host: localhost:80:80"], 400, 400],
  [["Host: a..b"], 400, 400],
  [["Host: .localhost"], 400, 400],
  [["Host: localhost.."], 400, 400],
  [[`Host: ${"a".repeat(64)}.example`], 400, 400],
  [[`Host: ${"a.".repeat(130)}example`], 400, 400],
  [["Host: localhost/"], 400, 400],
  [["Host: localhost/x?y"], 400, 400],
  [["Host: localhost?x"], 400, 400],
  [["Host: localhost#x"], 400, 400],
  [["Host: localhost\\x"], 400, 400],
  [["Host: user@localhost"], 400, 400],
  [["Host: evil.example@localhost"], 400, 400],
  [["Host: http://localhost"], 400, 400],
  [["Host: local host"], 400, 400],
  [["Host: localhost, localhost"], 400, 400],
  [["Host: localhost,evil.example"], 400, 400],
  [["Host: localhost", "Host: localhost"], 400, 400],
  [["Host: localhost", "Host: evil.example"], 400, 400],
  [["Host: evil.example", "host: localhost"], 400, 400],
  [["Host: %6cocalhost"], 400, 400],
  [["Host: b\xc3\xbccher.example"], 400, 400],
  [["Host: [::1"], 400, 400],
  [["Host: ::1"], 400, 400],
  [["Host: [::1]x"], 400, 400],
  [["Host: [::g]"], 400, 400],
  [["Host: [127.0.0.1]"], 400, 400],
  [["Host: [::1%25lo]"], 400, 400],
  [["Host: *"], 400, 400],
  [["Host: localhost\x00"], 400, 400],
  [["Host: localhost", " folded"], 400, 400],
  [["Host : localhost"], 400, 400],
  [[], 400, 400]
]
for (const [lines, list, open] of hosts) {
  row({ why: "a host", target: "/list/api/links", lines, status: list })
  row({ why: "a host", mode: "development", target: "/dashboard/api/meta", lines, status: open })
  if (open === 403) {
    row({ why: "a host", mode: "development", target: "/dashboard", lines, status: 403, group: "private" })
    row({ why: "a host", mode: "development", target: "/list", lines, status: 200, group: "page" })
  }
}
// HTTP/1.0 has no Host header, and must not open the dashboard either.
for (const [mode, target, status] of [
  ["gateway", "/list", 200],
  ["gateway", "/healthz", 200],
  ["gateway", "/dashboard/api/meta", 403],
  ["gateway", "//list", 400],
  ["gateway", "/list/../list", 400],
  ["gateway", "/list\\x", 400],
  ["development", "/list", 200],
  ["development", "/dashboard/api/meta", 403]
] as const)
  row({ why: "HTTP/1.0 without a host", mode, target, status, lines: [], version: "1.0" })
row({
  why: "HTTP/1.0 with a host",
  mode: "development",
  target: "/dashboard/api/meta",
  lines: ["Host: localhost"],
  version: "1.0",
  status: 200
})

// Headers of a proxy or a tunnel, which cancel DEV_NO_AUTH.
for (const line of rowsOf<string>(import.meta, "FrontDoor.headers")) {
  const lines = ["Host: localhost", line]
  row({ why: line, mode: "development", target: "/dashboard/api/meta", lines, status: 403, group: "private" })
  row({ why: line, mode: "development", target: "/app/", lines, status: 200, group: "page" })
}
// Headers that browsers and programs send by default do not.
for (const line of [
  "User-Agent: curl/8.0",
  "Accept-Language: de",
  "Cookie: a=b",
  "Referer: http://localhost/dashboard",
  "X-Requested-With: fetch",
  "Upgrade-Insecure-Requests: 1",
  "Sec-CH-UA-Platform: x",
  "DNT: 1",
  "Priority: u=1",
  "Idempotency-Key: x"
])
  row({
    why: line,
    mode: "development",
    target: "/dashboard/api/meta",
    lines: ["Host: localhost", line],
    status: 200
  })
row({ why: "nobody in front", mode: "development", target: "/app/", lines: ["Host: localhost"], status: 303 })
row({
  why: "a tunnel to the webhook",
  mode: "development",
  method: "POST",
  target: "/webhook",
  lines: [
    `Host: ${PUBLIC}`,
    "CF-Ray: 1",
    `X-Telegram-Bot-Api-Secret-Token: ${WEBHOOK_SECRET}`,
    "Content-Type: application/json"
  ],
  body: "{}",
  status: 200,
  group: "private"
})

// Every endpoint of the API, as declared.
interface Endpoint {
  readonly group: string
  readonly method: string
  readonly path: string
  /** Matches every path of the endpoint. */
  readonly pattern: RegExp
}
const endpoints: Array<Endpoint> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group }) =>
    void endpoints.push({
      group: group.identifier,
      method: endpoint.method,
      path: endpoint.path.replace(/(.)\/$/, "$1").replace(/:\w+/g, "1"),
      pattern: new RegExp(`^${endpoint.path.replace(/:\w+/g, "[^/]+")}$`)
    })
})

/** Requests that another site has a browser make, by what the browser says of them. */
const foreign: Record<string, ReadonlyArray<string>> = {
  "cross-site fetch": ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty"],
  "same-site fetch": ["Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty"],
  "cross-site image": ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"],
  "cross-site script": ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"],
  "cross-site frame": ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"],
  "cross-site object": ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: object"],
  "cross-site embed": ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: embed"],
  "two words": ["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"],
  "an unknown word": ["Sec-Fetch-Site: friendly"],
  "a foreign origin": ["Origin: https://evil.example"],
  "a null origin": ["Origin: null"],
  "an extension's origin": ["Origin: chrome-extension://abcdefghijklmnop"]
}
const navigation = [
  "Sec-Fetch-Site: cross-site",
  "Sec-Fetch-Mode: navigate",
  "Sec-Fetch-Dest: document",
  "Sec-Fetch-User: ?1"
]
const host = `Host: ${PUBLIC}`
const isInterface = (path: string) => path.startsWith("/dashboard/api/")
for (const { group, method, path } of endpoints.filter(({ path }) => path.startsWith("/dashboard"))) {
  const about = { method, target: path, owner: true }
  for (const [why, lines] of someForeign(Object.entries(foreign)))
    row({ why, ...about, lines: [host, ...lines], status: 403, group: "private" })
  row({
    why: "a link from elsewhere",
    ...about,
    lines: [host, ...navigation],
    status: isInterface(path) ? 403 : 200,
    group: "private"
  })
  for (const [why, lines] of someOwn([
    ["its own page", ["Sec-Fetch-Site: same-origin"]],
    ["typed by hand", ["Sec-Fetch-Site: none"]],
    ["its own origin", [`Origin: https://${PUBLIC}`]],
    ["a program", []]
  ] as const))
    row({ why, ...about, lines: [host, ...lines], status: "let in" })
  row({ why: `no token at ${group}`, method, target: path, status: 403, group: "private" })
}
for (const { method, path } of endpoints.filter(({ path }) => path.startsWith("/signin/api")))
  for (const [why, lines] of [
    ...someForeign(Object.entries(foreign)),
    ["a link from elsewhere", navigation] as const
  ])
    row({ why, method, target: path, owner: true, lines: [host, ...lines], status: 403, group: "private" })
for (const target of [
  "/dashboard",
  "/dashboard/",
  "/dashboard/add?url=https://example.org",
  "/dashboard/tags?q=a%20b"
]) {
  row({
    why: "a link from elsewhere",
    target,
    owner: true,
    lines: [host, ...navigation],
    status: 200,
    group: "private"
  })
  row({
    why: "a link from elsewhere, by a service worker",
    target,
    owner: true,
    lines: [host, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: empty"],
    status: 200,
    group: "private"
  })
  row({
    why: "a form from elsewhere",
    method: "POST",
    target,
    owner: true,
    lines: [host, ...navigation],
    status: 403,
    group: "private"
  })
  for (const [why, lines] of Object.entries(foreign))
    row({ why, target, owner: true, lines: [host, ...lines], status: 403, group: "private" })
}
// Requests that other sites may make.
const anywhere = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty"]
const json = "Content-Type: application/json"
for (const [why, method, target, lines, status, group] of [
  ["the public list from another site", "GET", "/list/api/links", anywhere, 200, "open"],
  ["a link to the public list", "GET", "/list", navigation, 200, "page"],
  ["the feed from another site", "GET", "/list/feed.xml", anywhere, 200, "open"],
  ["the extension's probe", "GET", "/healthz", anywhere, 200, "open"],
  [
    "Telegram",
    "POST",
    "/webhook",
    [json, `X-Telegram-Bot-Api-Secret-Token: ${WEBHOOK_SECRET}`],
    200,
    "private"
  ],
  ["the webhook without its secret", "POST", "/webhook", [json], 403, "private"],
  [
    "an extension of Chrome",
    "POST",
    "/capture/api/link",
    [
      json,
      ...anywhere,
      "Origin: chrome-extension://abcdefghijklmnop",
      `Authorization: Bearer ${EXTENSION_TOKEN}`
    ],
    400,
    "capture"
  ],
  [
    "an extension of Firefox",
    "POST",
    "/capture/api/link",
    [json, ...anywhere, "Origin: moz-extension://2c127fa4-62c7", `Authorization: Bearer ${EXTENSION_TOKEN}`],
    400,
    "capture"
  ],
  [
    "an extension's question",
    "OPTIONS",
    "/capture/api/link",
    [...anywhere, "Origin: moz-extension://2c127fa4-62c7"],
    204,
    "capture"
  ],
  [
    "an extension without its token",
    "POST",
    "/capture/api/link",
    [json, "Origin: chrome-extension://abcdefghijklmnop"],
    401,
    "capture"
  ]
] as const)
  row({
    why,
    method,
    target,
    lines: [host, ...lines],
    ...(method === "POST" ? { body: "{}" } : {}),
    status,
    group
  })
for (const [why, lines, owner, status] of [
  ["a stranger", [], false, 200],
  ["the owner", ["Sec-Fetch-Site: none"], true, 303],
  ["the owner, by a link from elsewhere", navigation, true, 303],
  ["a page elsewhere, with the owner's cookie", anywhere, true, 200],
  ["a frame elsewhere, with the owner's cookie", foreign["cross-site frame"] ?? [], true, 200]
] as const)
  for (const target of ["/app/", "/"]) row({ why, target, lines: [host, ...lines], owner, status })

// Every path with every method that it does not support; below `/api`, the gate of programs comes first.
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
for (const path of new Set(endpoints.map(({ path }) => path).filter((path) => !path.startsWith("/api/")))) {
  const has = endpoints.filter((one) => one.path === path).map(({ method }) => method)
  // A path without parameters may also fit a pattern of other endpoints, which then refuse it.
  const fitting = endpoints.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
  const allowed = has.includes("GET") ? [...has, "HEAD"] : has
  for (const method of methods.filter(
    (method) =>
      !fitting.includes(method) &&
      !has.includes(method) &&
      !(method === "OPTIONS" && path === "/capture/api/link")
  ))
    row({ why: "another method", method, target: path, owner: true, status: 405, allow: allowed.join(", ") })
}
for (const target of ["/setup", "/connect"])
  for (const [why, lines] of Object.entries(foreign))
    row({ why, target, owner: true, lines: [host, ...lines], status: 403, group: "private" })
for (const target of ["/app", asset, "/docs/start", "/", "/signin", archive, docFile])
  row({ why: "another method", method: "POST", target, status: 405, allow: "GET, HEAD" })
for (const method of ["TRACE", "PROPFIND"])
  row({ why: "an unknown method", method, target: "/list", status: 501, group: "page" })

const noIndex = "noindex, nofollow"
const dataPolicy = "default-src 'none'; frame-ancestors 'none'"

/** Checks the headers that a group's responses carry whatever their status. */
const carried: Record<Group, (headers: RawAnswer["headers"]) => void> = {
  private: (headers) => {
    expect(headers["cache-control"]).toBe("no-store")
    expect(headers["x-robots-tag"]).toBe(noIndex)
    expect(headers["cross-origin-resource-policy"]).toBe("same-origin")
  },
  door: (headers) => {
    expect(headers["cache-control"]).toBe("no-store")
    expect(headers["x-robots-tag"]).toBe("noindex")
  },
  signin: (headers) => {
    carried.private(headers)
    expect(headers["content-type"]).toStartWith("text/html")
    expect(headers["permissions-policy"]).toContain("publickey-credentials-get=(self)")
  },
  refused: (headers) => {
    carried.private(headers)
    expect(headers["content-security-policy"]).toBe(dataPolicy)
  },
  capture: (headers) => {
    carried.private(headers)
    expect(headers["vary"]).toBe("Origin")
  },
  open: (headers) => {
    expect(headers["cache-control"]).toBe("no-cache")
    expect(headers["content-security-policy"]).toBe(dataPolicy)
    expect(headers["x-robots-tag"]).toBeUndefined()
  },
  page: (headers) => {
    expect(headers["cache-control"]).toBe("no-cache")
    expect(headers["x-robots-tag"]).toBeUndefined()
  },
  file: (headers) => expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable")
}

const check = async ({
  allow,
  body,
  group,
  lines,
  method,
  mode,
  owner,
  status,
  target,
  version = "1.1"
}: Row) => {
  const answer = await ask(running[mode]?.base ?? "", {
    method,
    target,
    version,
    lines: [...lines, ...(owner ? [`Cf-Access-Jwt-Assertion: ${token}`] : [])],
    ...(body === undefined ? {} : { body })
  })
  if (status === "let in") expect([200, 201, 202, 204, 400, 404, 415]).toContain(answer.status)
  else expect(answer.status).toBe(status)
  expect(answer.headers["allow"]).toBe(allow)
  if (group === undefined) return
  carried[group](answer.headers)
  expect(answer.headers["x-content-type-options"]).toBe("nosniff")
  expect(answer.headers["referrer-policy"]).toBe("no-referrer")
  if (answer.headers["content-type"]?.startsWith("text/html") === true) {
    expect(answer.headers["content-security-policy"]).toContain("script-src 'self'")
    expect(answer.headers["permissions-policy"]).toContain("camera=()")
    expect(answer.body).not.toContain("<script>")
  }
  const secure = mode === "gateway" && lines.includes(host)
  expect(answer.headers["strict-transport-security"]).toBe(secure ? "max-age=31536000" : undefined)
  // The page of a collection that is not shared is a page.
  if (answer.status >= 400 && method !== "HEAD" && group !== "page" && group !== "signin")
    expect(JSON.parse(answer.body)).toEqual({ error: expect.any(String), message: expect.any(String) })
}

const shown = ({ lines, method, mode, status, target, version, why }: Row) =>
  `${mode}: ${method} ${JSON.stringify(target)} (${why}; ${JSON.stringify(lines.filter((line) => line !== host))}${
    version === undefined ? "" : `, HTTP/${version}`
  }) → ${status}`

describe("the front door", () => {
  test("has more than 300 different requests", () =>
    expect(new Set(rows.map(shown)).size).toBeGreaterThan(300))
  for (const one of rows) test(shown(one), () => check(one))
})
