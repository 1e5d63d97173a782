import { describe, expect, test } from "bun:test"
import { documentedCommands } from "../../../src/cli/Cli.ts"
import { allSettings } from "../../../src/config/Configuration.ts"
import { openApi } from "../../../src/http/api/Api.ts"
import { commands } from "../../../src/telegram/Commands.ts"
import { allMetrics } from "../../../src/telemetry/Metrics.ts"
import { formats } from "../../../src/transfer/Formats.ts"
import { commandLineBlock } from "../../../web/docs/generated/commandLine.ts"
import { endpointsBlock } from "../../../web/docs/generated/endpoints.ts"
import {
  botCommandsBlock,
  importFormatsBlock,
  metricsBlock,
  settingsBlock
} from "../../../web/docs/generated/lists.ts"
import { fieldsOf, typeOf } from "../../../web/docs/generated/schema.ts"
import { type Element, inOneLine, type Node, textOf, toHtml } from "../../../web/docs/tree.ts"

const elementsOf = (nodes: ReadonlyArray<Node>): ReadonlyArray<Element> =>
  nodes.flatMap((node) => (node.type === "element" ? [node, ...elementsOf(node.children)] : []))

const html = (nodes: ReadonlyArray<Node>) => nodes.map(toHtml).join("")
const textsOf = (nodes: ReadonlyArray<Node>, tag: string) =>
  elementsOf(nodes)
    .filter((element) => element.tagName === tag)
    .map((element) => inOneLine(textOf(element)))

test("every setting has an entry with its meaning and an anchor", () => {
  const nodes = settingsBlock(allSettings)(3)
  expect(textsOf(nodes, "h3")).toEqual(allSettings.map(({ name }) => name))
  const text = inOneLine(nodes.map(textOf).join(" "))
  for (const { meaning } of allSettings) expect(text).toContain(inOneLine(meaning.replaceAll("`", "")))
  expect(html(nodes)).toContain('<h3 id="webhook_secret">')
})

test("every bot command is listed", () => {
  expect(textsOf(botCommandsBlock(), "tr")).toHaveLength(commands.length + 1)
  expect(html(botCommandsBlock())).toContain("<code>/favorites, /fav</code>")
})

test("every import format is listed, and Linkbower's own last", () => {
  const listed = textsOf(importFormatsBlock(formats)(), "td").filter((_, at) => at % 5 === 4)
  expect(new Set(listed)).toEqual(new Set([...formats.map(({ name }) => name), "linkbower"]))
  expect(listed.at(-1)).toBe("linkbower")
})

test("every metric is listed", () => {
  const text = textsOf(metricsBlock(allMetrics)(), "code")
  for (const { name } of allMetrics) expect(text).toContain(name)
})

describe("the endpoints", () => {
  const spec = openApi("1.2.3")
  const nodes = endpointsBlock(spec)(3)

  test("are all listed with their methods", () => {
    const all = Object.entries(spec.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`)
    )
    expect(textsOf(nodes, "h4").toSorted()).toEqual(all.toSorted())
  })

  test("are grouped by gate, each group with a title", () => {
    const titles = textsOf(nodes, "h3")
    expect(titles).toHaveLength(spec.tags.length)
    expect(titles).toEqual(
      expect.arrayContaining(["Webhook", "Capture", "Sign-in", "Dashboard", "Public list"])
    )
    expect(spec.tags.filter(({ name }) => titles.includes(name))).toEqual([])
    expect(html(nodes)).toContain("<code>x-telegram-bot-api-secret-token</code>")
  })

  test("are linked from an overview of their group", () => {
    const ids = new Set(elementsOf(nodes).map(({ properties }) => properties["id"]))
    const linked = elementsOf(nodes).flatMap(({ properties: { href } }) =>
      typeof href === "string" && href.startsWith("#") ? [href.slice(1)] : []
    )
    expect(linked).toContain("get-dashboardapilinks")
    expect(linked.filter((id) => !ids.has(id))).toEqual([])
  })

  test("describe their input, responses and errors", () => {
    const entry = elementsOf(nodes).find(
      ({ children, tagName }) =>
        tagName === "section" && children.map(textOf).join(" ").includes("POST /capture/api/link")
    )
    const text = inOneLine(entry === undefined ? "" : textOf(entry))
    for (const said of [
      "Request application/json",
      "At most 8,192 characters",
      "Response 202",
      "401 unauthorized"
    ])
      expect(text).toContain(said)
  })
})

describe("a schema", () => {
  const named = { Tag: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } }

  test("lists nested fields", () => {
    const schema = {
      type: "object",
      required: ["tags", "next"],
      properties: {
        tags: { type: "array", items: { $ref: "#/components/schemas/Tag" } },
        next: { anyOf: [{ type: "string" }, { type: "null" }] },
        kind: { enum: ["a", "b"], description: "Which one." }
      }
    }
    expect(fieldsOf(schema, named)).toEqual([
      { name: "tags", type: "object[]", optional: false, meaning: "" },
      { name: "tags[].name", type: "string", optional: false, meaning: "" },
      { name: "next", type: "string | null", optional: false, meaning: "" },
      { name: "kind", type: '"a" | "b"', optional: true, meaning: "Which one." }
    ])
  })

  test("lists the fields of all alternatives", () => {
    const of = (value: string) => ({
      type: "object",
      required: ["op"],
      properties: { op: { type: "string", enum: [value] } }
    })
    expect(fieldsOf({ anyOf: [of("x"), of("y")] }, {})).toEqual([
      { name: "op", type: '"x" | "y"', optional: false, meaning: "" }
    ])
  })

  test("names the type of pairs", () => {
    const pair = { type: "array", items: false, prefixItems: [{ type: "integer" }, { type: "integer" }] }
    expect(typeOf({ type: "array", items: pair }, {})).toBe("integer[][]")
  })
})

describe("the command line", () => {
  const nodes = commandLineBlock(documentedCommands)(3)
  const entry = (name: string) =>
    elementsOf(nodes).filter(
      ({ children, tagName }) => tagName === "section" && textsOf(children, "h3")[0] === name
    )

  test("has an entry for each command that runs", () => {
    const names = textsOf(nodes, "h3")
    expect(names).toEqual(documentedCommands.map(({ shape }) => shape.path.join(" ")))
    for (const name of ["serve", "import", "webhook set", "doctor"]) expect(names).toContain(name)
  })

  test("shows how each is written, what its options mean, and examples", () => {
    const set = entry("webhook set")
    const of = (tag: string) => textsOf(set, tag)
    expect(of("pre")).toEqual([
      "linkbower webhook set [--url URL]",
      "# Registers the webhook at this address. linkbower webhook set --url https://links.example.org"
    ])
    expect(of("dt")).toEqual(["--url URL optional"])
    expect(of("dd")).toEqual(["The service's public address, if it differs from PUBLIC_URL."])
  })
})
