import { readFileSync } from "node:fs"
import { join } from "node:path"
import { programsDocument } from "../../src/http/api/ProgramsDocument.ts"
import { VERSION } from "../../src/version.ts"
import { type ArchivedFile, archive } from "../release/archive.ts"
import type { Endpoint } from "./runtime.ts"
import { commentOf, namesUsed, type Schema, typeOf } from "./types.ts"

/**
 * Builds the package `linkbower-client`, a client of `/api/v1` by plain `fetch` and without dependencies, from the same
 * declarations as the service: `bun web/client/build.ts` writes its files to `dist/client`.
 */

const ROOT = join(import.meta.dir, "../..")
const V1 = "/api/v1"

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Schema
  readonly required: boolean
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The groups whose functions have names of their own; those of the others stand below the group's name. */
const flat = new Set(["dashboard", "programs", "things"])

const JSON_TYPE = "application/json"

/** A function of the client: where it stands, its endpoint, and how TypeScript declares it. */
interface Declared {
  readonly group: string | undefined
  readonly name: string
  readonly endpoint: Endpoint
  readonly text: string
}

const parametersType = (parameters: ReadonlyArray<Parameter>): Schema => ({
  type: "object",
  properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
  required: parameters.filter(({ required }) => required).map(({ name }) => name)
})

const declare = (method: string, path: string, operation: Operation): Declared => {
  const [group = "", name = ""] = operation.operationId.split(".")
  const indent = flat.has(group) ? "  " : "    "
  const all = operation.parameters ?? []
  const [inPath, inQuery] = ["path", "query"].map((place) => all.filter((one) => one.in === place))
  const body = operation.requestBody?.content
  const kinds: Array<readonly [kind: string, name: string, type: string]> = []
  if (inPath?.length) kinds.push(["p", "path", typeOf(parametersType(inPath), indent)])
  if (body !== undefined) {
    const json = body[JSON_TYPE]
    kinds.push(["b", "body", json === undefined ? "BodyInit" : typeOf(json.schema, indent)])
  }
  if (inQuery?.length) {
    const isNeeded = inQuery.some(({ required }) => required)
    kinds.push(["q", isNeeded ? "query" : "query?", typeOf(parametersType(inQuery), indent)])
  }
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"))
  const json = successes.flatMap(([, { content }]) => content?.[JSON_TYPE]?.schema ?? [])
  const answer =
    json.length === 0 ? "Response" : [...new Set(json.map((one) => typeOf(one, indent)))].join(" | ")
  const about = [operation.summary, operation.description].filter(Boolean).join(". ")
  const args = kinds.map(([, one, type]) => `${one}: ${type}`).join(", ")
  return {
    group: flat.has(group) ? undefined : group,
    name,
    endpoint: [
      method.toUpperCase(),
      path.slice(V1.length),
      kinds.map(([kind]) => kind).join(""),
      json.length > 0
    ],
    text: `${commentOf(about, indent)}${indent}${name}(${args}): Promise<${answer}>\n`
  }
}

const table = (declared: ReadonlyArray<Declared>) => {
  const entries: Record<string, Endpoint | Record<string, Endpoint>> = {}
  for (const { endpoint, group, name } of declared)
    if (group === undefined) entries[name] = endpoint
    else entries[group] = { ...entries[group], [name]: endpoint }
  return entries
}

const declarations = (declared: ReadonlyArray<Declared>, { components }: Document, used: unknown) => {
  const names = namesUsed(used, components.schemas)
  const types = Object.entries(components.schemas)
    .filter(([name]) => names.has(name))
    .map(([name, schema]) => `${commentOf(schema.description)}export type ${name} = ${typeOf(schema)}\n`)
  const groups = Map.groupBy(declared, ({ group }) => group)
  const functions = [...groups].map(([group, all]) => {
    const text = all.map((one) => one.text).join("")
    return group === undefined ? text : `  ${group}: {\n${text}  }\n`
  })
  return `${types.join("\n")}
/** A library. Each function is an endpoint of its API, and fails with a \`LinkbowerError\` unless the service did what it asks for. */
export interface Library {
${functions.join("")}}

/** Makes the client of the library at an address, such as \`https://links.example.org\`, with the token of a program. */
export declare function linkbower(options: { url: string; token: string; fetch?: typeof fetch }): Library

/** An answer of the service that is no success. */
export declare class LinkbowerError extends Error {
  readonly status: number
  /** The code of the answer, such as \`insufficient_scope\`. */
  readonly code: string
  /** The scope that the token lacks. */
  readonly needs: string | undefined
  readonly body: unknown
}
`
}

const README = `# linkbower-client

A client for the API of Linkbower, the self-hosted link library, for Node.js, Bun, Deno and browsers' extensions. It uses \`fetch\` and has no dependencies.

\`\`\`js
import { linkbower } from "linkbower-client"

const library = linkbower({ url: "https://links.example.org", token: "lb_…" })
const { links } = await library.links({ q: "effect", limit: 10 })
await library.save({ url: "https://effect.website/docs", tags: ["effect"] })
\`\`\`

Make the token with \`linkbower token add NAME --scope read,save\`.
`

/** Returns the files of the package. */
export const clientFiles = async (): Promise<ReadonlyArray<ArchivedFile>> => {
  const document: Document = JSON.parse(JSON.stringify(programsDocument(VERSION)))
  const declared = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => declare(method, path, operation))
  )
  const successes = Object.values(document.paths).flatMap((operations) =>
    Object.values(operations).map(({ requestBody, responses }) => [
      requestBody,
      Object.entries(responses).filter(([status]) => status.startsWith("2"))
    ])
  )
  const runtime = await new Bun.Transpiler({ loader: "ts" }).transform(
    readFileSync(join(import.meta.dir, "runtime.ts"), "utf8")
  )
  const script = `${runtime.replace("export const makeClient", "const makeClient")}\nexport const linkbower = makeClient(${JSON.stringify(table(declared), null, 2)})\n`
  const manifest = {
    name: "linkbower-client",
    version: VERSION,
    description: "A client for the API of Linkbower, the self-hosted link library.",
    license: "MIT",
    type: "module",
    exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
    sideEffects: false,
    engines: { node: ">=20" },
    files: ["index.js", "index.d.ts"]
  }
  const text = (path: string, content: string): ArchivedFile => ({ path, bytes: Buffer.from(content) })
  return [
    text("package.json", `${JSON.stringify(manifest, null, 2)}\n`),
    text("README.md", README),
    { path: "LICENSE", bytes: readFileSync(join(ROOT, "LICENSE")) },
    text("index.js", script),
    text("index.d.ts", declarations(declared, document, successes))
  ]
}

/** Packs the package as `npm install` reads it from a file or an address. */
export const clientPackage = async (): Promise<Uint8Array> =>
  archive((await clientFiles()).map(({ bytes, path }) => ({ bytes, path: `package/${path}` })))

if (import.meta.main)
  for (const { bytes, path } of await clientFiles()) await Bun.write(join(ROOT, "dist/client", path), bytes)
