import type { OpenApi } from "@effect/platform"
import { openApi } from "./Api.ts"
import { OWNERS_API, scopes } from "./Scopes.ts"

type Operation = OpenApi.OpenAPISpecOperation
type Operations = Readonly<Record<string, Operation>>

const V1 = "/api/v1"

/** The bodies of the examples; other requests with a body have the empty object. */
const bodies: Readonly<Record<string, object>> = {
  "POST /links": { url: "https://effect.website/docs", note: "Read this", tags: ["effect"] },
  "POST /mutate": { op: "tags", ids: [12], add: ["effect"] },
  "POST /action": { action: "refresh", id: 12 },
  "POST /collections": { name: "Reading list" },
  "PATCH /tags/:name": { name: "typescript" },
  "PATCH /collections/:id": { name: "Reading list" },
  "POST /links/:id/highlights": { quote: "a passage of the page", prefix: "", suffix: "" }
}

/** Names in the examples, which this code neither calls nor reads. */
const FETCH = "fetch"
const PROCESS = "process"

/** One request in curl, JavaScript and Python. */
const samplesOf = (method: string, place: string) => {
  const path = `${V1}${place.replaceAll(/:\w+/g, (name) => (name === ":name" ? "effect" : "12"))}`
  const body =
    method === "GET" || method === "DELETE" ? undefined : JSON.stringify(bodies[`${method} ${place}`] ?? {})
  const named = method === "GET" ? "" : ` -X ${method}`
  const curl = `curl${named} -H "Authorization: Bearer $LINKBOWER_TOKEN"${
    body === undefined ? "" : ` -H "Content-Type: application/json" -d '${body}'`
  } "$LINKBOWER_URL${path}"`
  const js = [
    `const { LINKBOWER_TOKEN, LINKBOWER_URL } = ${PROCESS}.env`,
    `const answer = await ${FETCH}(\`\${LINKBOWER_URL}${path}\`, {`,
    `  method: "${method}",`,
    `  headers: { authorization: \`Bearer \${LINKBOWER_TOKEN}\`${body === undefined ? "" : ', "content-type": "application/json"'} }${
      body === undefined ? "" : `,\n  body: JSON.stringify(${body})`
    }`,
    "})"
  ].join("\n")
  const python = [
    "import os, urllib.request",
    `request = urllib.request.Request(os.environ["LINKBOWER_URL"] + "${path}", method="${method}")`,
    `request.add_header("Authorization", "Bearer " + os.environ["LINKBOWER_TOKEN"])`,
    ...(body === undefined
      ? []
      : [`request.add_header("Content-Type", "application/json")`, `request.data = b'${body}'`]),
    "answer = urllib.request.urlopen(request).read()"
  ].join("\n")
  return [
    { lang: "Shell", label: "curl", source: curl },
    { lang: "JavaScript", label: "JavaScript", source: js },
    { lang: "Python", label: "Python", source: python }
  ]
}

const listed = new Intl.ListFormat("en", { type: "disjunction" })

/** The operations of a path that a token may reach, with what they need. */
const forPrograms = (place: string, operations: Operations): Operations =>
  Object.fromEntries(
    Object.entries(operations).flatMap(([method, operation]) => {
      const needs = scopes[`${method.toUpperCase()} ${place}`] ?? []
      if (needs.length === 0) return []
      const needed = `Needs the scope ${listed.format(needs.map((scope) => `\`${scope}\``))}.`
      const described = {
        ...operation,
        description: [operation.description, needed].filter((text) => text !== undefined).join(" "),
        security: [{ token: [] }],
        "x-codeSamples": samplesOf(method.toUpperCase(), place)
      }
      return [[method, described] as const]
    })
  )

/** Describes `/api/v1` in OpenAPI 3.1: the owner's API as far as tokens reach it, with examples. */
export const programsDocument = (version: string) => {
  const { components, info, openapi, paths, tags } = openApi(version)
  const own: Record<string, Operations> = {}
  for (const [path, operations] of Object.entries<Operations>(paths)) {
    const prefix = [`${OWNERS_API}/`, `${V1}/`].find((start) => path.startsWith(start))
    if (prefix === undefined) continue
    const place = path.slice(prefix.length - 1).replaceAll(/\{(\w+)\}/g, ":$1")
    // A program saves with an endpoint of its own.
    const shown =
      prefix === `${V1}/`
        ? operations
        : Object.fromEntries(
            Object.entries(operations).filter(([method]) => `${method} ${place}` !== "post /links")
          )
    const reached = forPrograms(place, shown)
    const at = `${V1}${path.slice(prefix.length - 1)}`
    if (Object.keys(reached).length > 0) own[at] = { ...own[at], ...reached }
  }
  const used = new Set(Object.values(own).flatMap((all) => Object.values(all).flatMap((one) => one.tags)))
  return {
    openapi,
    info: { ...info, title: "Linkbower for programs" },
    paths: own,
    components,
    tags: tags.filter(({ name }) => used.has(name))
  }
}
