import type { OpenApi } from "@effect/platform"
import { slug } from "github-slugger"
import { inlineMarkdown } from "../markdown.ts"
import { type Content, h, type Node } from "../tree.ts"
import { table } from "./lists.ts"
import { type Field, fieldsOf, type JsonSchema, type Named, resolved, typeOf } from "./schema.ts"

type Operation = OpenApi.OpenAPISpecOperation
type Contents = Readonly<Record<string, { readonly schema?: JsonSchema }>>

interface Endpoint {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** The tags of the API in the order of the page, with the title of each; others follow under their own names. */
const tags: ReadonlyArray<readonly [tag: string, title: string]> = [
  ["webhook", "Webhook"],
  ["capture", "Capture"],
  ["dashboard", "Dashboard"],
  ["things", "Tags, categories and collections"],
  ["pages", "Kept pages"],
  ["reading", "Reading positions"],
  ["highlights", "Highlights"],
  ["books", "Kept pages as files"],
  ["ereaders", "E-readers"],
  ["shares", "Kept pages at a secret address"],
  ["setUp", "Set-up"],
  ["backups", "Backups"],
  ["signin", "Sign-in"],
  ["chatSignIn", "Sign-in in the owner's chat"],
  ["newCredentials", "A new password or passkey"],
  ["credentials", "Password and passkeys"],
  ["sessions", "Sessions"],
  ["tokens", "Tokens of programs"],
  ["programs", "Programs"],
  ["oauth", "Programs that ask for access"],
  ["list", "Public list"],
  ["feeds", "Feeds of saved searches"],
  ["status", "Status"]
]

const endpointsOf = (spec: OpenApi.OpenAPISpec): ReadonlyArray<Endpoint> =>
  Object.entries(spec.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
  )

const code = (text: string) => h("code", {}, text)

const nameCell = (name: string, optional: boolean): Content => [
  code(name),
  optional ? h("span", { class: "quiet" }, " optional") : null
]

/** A table of fields; without descriptions it has no Meaning column. */
const fieldTable = (what: string, fields: ReadonlyArray<Field>): Node => {
  const explained = fields.some(({ meaning }) => meaning !== "")
  return table(
    [what, "Type", ...(explained ? ["Meaning"] : [])],
    fields.map(({ meaning, name, optional, type }) => [
      nameCell(name, optional),
      code(type),
      ...(explained ? [inlineMarkdown(meaning)] : [])
    ])
  )
}

/** Describes a body: the fields of an object, or the type of anything else. */
const shape = (schema: JsonSchema, named: Named): ReadonlyArray<Node> => {
  const fields = fieldsOf(schema, named)
  if (fields.length > 0) return [fieldTable("Field", fields)]
  const whole = resolved(schema, named)
  return whole.type === undefined && whole.anyOf === undefined ? [] : [h("p", {}, code(typeOf(whole, named)))]
}

const folded = (title: ReadonlyArray<Content>, body: ReadonlyArray<Node>): Node =>
  body.length === 0
    ? h("p", { class: "body-of" }, title)
    : h("details", { class: "shape", open: true }, h("summary", {}, title), body)

const bodies = (title: Content, content: Contents, named: Named): ReadonlyArray<Node> =>
  Object.entries(content).map(([type, { schema = {} }]) =>
    folded([title, " ", code(type)], type === "application/json" ? shape(schema, named) : [])
  )

const parameters = ({ parameters: all }: Operation, named: Named): ReadonlyArray<Node> =>
  all.length === 0
    ? []
    : [
        fieldTable(
          "Parameter",
          all.map(({ description = "", name, required, schema }) => ({
            name,
            type: typeOf(schema, named),
            optional: !required,
            meaning: description
          }))
        )
      ]

const contentsOf = (content: object | undefined): Contents => ({ ...content })

const codeOfFailure = (content: Contents, named: Named): string => {
  const schema = content["application/json"]?.schema
  const { error } = schema === undefined ? {} : (resolved(schema, named).properties ?? {})
  return error === undefined ? "" : typeOf(error, named).replaceAll('"', "")
}

const responsesOf = ({ responses }: Operation, named: Named): ReadonlyArray<Node> => {
  const all = Object.entries(responses).sort(([one], [other]) => one.localeCompare(other))
  const good = all.filter(([status]) => Number(status) < 400)
  const bad = all.flatMap(([status, { content }]) => {
    const failure = Number(status) < 400 ? "" : codeOfFailure(contentsOf(content), named)
    return failure === "" ? [] : [[status, failure] as const]
  })
  return [
    ...good.flatMap(([status, { content }]) =>
      content === undefined
        ? [h("p", { class: "body-of" }, "Response ", code(status), ", without a body.")]
        : bodies(["Response ", code(status)], contentsOf(content), named)
    ),
    ...(bad.length === 0
      ? []
      : [
          h(
            "p",
            { class: "errors" },
            h("strong", {}, "Errors:"),
            " ",
            bad.flatMap(([status, failure], at) => [at === 0 ? "" : ", ", code(`${status} ${failure}`)]),
            "."
          )
        ])
  ]
}

const titleOf = ({ method, path }: Endpoint): ReadonlyArray<Node> => [
  h("span", { class: "method" }, method),
  { type: "text", value: " " },
  code(path)
]

const anchorOf = ({ method, path }: Endpoint): string => slug(`${method} ${path}`)

/** The endpoints of a group in a table, each with a link to its description; none for a single endpoint. */
const overview = (within: ReadonlyArray<Endpoint>): ReadonlyArray<Node> =>
  within.length === 1
    ? []
    : [
        table(
          ["Endpoint", "What it does"],
          within.map((one) => [
            h("a", { class: "endpoint", href: `#${anchorOf(one)}` }, titleOf(one)),
            one.operation.summary === undefined ? "" : inlineMarkdown(`${one.operation.summary}.`)
          ])
        )
      ]

const endpoint = (one: Endpoint, level: number, named: Named): Node => {
  const { operation } = one
  return h(
    "section",
    { class: "entry" },
    h(`h${level}`, { id: anchorOf(one) }, titleOf(one)),
    operation.summary === undefined ? null : h("p", {}, inlineMarkdown(`${operation.summary}.`)),
    operation.description === undefined ? null : h("p", {}, inlineMarkdown(operation.description)),
    parameters(operation, named),
    operation.requestBody === undefined
      ? null
      : bodies("Request", contentsOf(operation.requestBody.content), named),
    responsesOf(operation, named)
  )
}

/** What authenticates a request: a header, a cookie, or what the scheme says. */
const credentials = (spec: OpenApi.OpenAPISpec, { security }: Operation): ReadonlyArray<Node> =>
  security
    .flatMap((one) => Object.keys(one))
    .flatMap((name) => {
      const scheme = spec.components.securitySchemes[name]
      if (scheme === undefined) return []
      if (scheme.description !== undefined)
        return [h("p", {}, "Every request must include one of these. ", inlineMarkdown(scheme.description))]
      const isCookie = "in" in scheme && scheme.in === "cookie"
      const header = "name" in scheme ? scheme.name : "authorization: Bearer …"
      return [h("p", {}, `Every request must include ${isCookie ? "the cookie " : ""}`, code(header), ".")]
    })

/** Every endpoint, grouped by the tag of its gate, with an overview of each group. */
export const endpointsBlock = (spec: OpenApi.OpenAPISpec) => {
  const all = endpointsOf(spec)
  const named: Named = { ...spec.components.schemas }
  const known = new Set(tags.map(([tag]) => tag))
  const others = [...new Set(all.flatMap(({ operation }) => operation.tags))].filter((tag) => !known.has(tag))
  const shown = [...tags, ...others.map((tag) => [tag, tag] as const)]
  return (level: number): ReadonlyArray<Node> =>
    shown.flatMap(([tag, title]) => {
      const within = all.filter(({ operation }) => operation.tags.includes(tag))
      const [first] = within
      if (first === undefined) return []
      const description = spec.tags.find(({ name }) => name === tag)?.description ?? ""
      return [
        h(`h${level}`, {}, title),
        h("p", {}, inlineMarkdown(description)),
        ...credentials(spec, first.operation),
        ...overview(within),
        ...within.map((one) => endpoint(one, level + 1, named))
      ]
    })
}
