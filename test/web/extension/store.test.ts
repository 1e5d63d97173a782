import { describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import messages from "../../../web/extension/_locales/en/messages.json" with { type: "json" }
import { manifest } from "../../../web/extension/manifest.ts"

const STORE = resolve(import.meta.dir, "../../../web/extension/store")
const sections = new Map(
  readFileSync(join(STORE, "listing.md"), "utf8")
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const end = text.indexOf("\n")
      return [text.slice(0, end), text.slice(end).trim()] as const
    })
)
const section = (name: string) => sections.get(name) ?? ""
const items = (name: string) =>
  new Map(
    [...section(name).matchAll(/^- `([^`]+)`: (.+)$/gm)].map(
      ([, key = "", text = ""]) => [key, text] as const
    )
  )

describe("the texts for the stores", () => {
  test("fit the stores' limits, and are those of the package", () => {
    expect(section("Name")).toBe(messages.name.message)
    expect(section("Summary")).toBe(messages.description.message)
    // Chrome: 75, 132 and 16,000 characters; Firefox: 50, 250 and 15,000.
    const limits = { Name: 45, Summary: 132, Description: 15_000, "Single purpose": 1_000 }
    for (const [name, limit] of Object.entries(limits)) {
      expect([name, section(name).length > 0]).toEqual([name, true])
      expect(section(name).length).toBeLessThanOrEqual(limit)
    }
    for (const name of ["Remote code", "Privacy policy", "Notes for reviewers"])
      expect(section(name).length).toBeGreaterThan(20)
  })

  test("give a reason for every permission, in at most 1,000 characters, and for no other", () => {
    const { optional_host_permissions, optional_permissions, permissions } = manifest("chrome", "1.0.0")
    const reasons = items("Permissions")
    expect([...reasons.keys()].toSorted()).toEqual(
      [...permissions, ...optional_permissions, ...optional_host_permissions].toSorted()
    )
    for (const reason of reasons.values()) expect(reason.length).toBeLessThanOrEqual(1_000)
    for (const optional of [...optional_permissions, ...optional_host_permissions])
      expect(reasons.get(optional)).toStartWith("optional.")
  })

  test("declare the data that Firefox's package declares", () => {
    const declared = JSON.stringify(manifest("firefox", "1.0.0"))
    for (const [, kind = ""] of section("Data").matchAll(/`(\w+)`/g)) expect(declared).toContain(`"${kind}"`)
  })
})

test("the pictures have the sizes that the stores require, without transparency where it is forbidden", async () => {
  const pictures = items("Pictures")
  expect([...pictures.keys()].toSorted()).toEqual(readdirSync(join(STORE, "pictures")).toSorted())
  for (const [name, text] of pictures) {
    const [, width, height] = /(\d+) × (\d+)/.exec(text) ?? []
    const file = join(STORE, "pictures", name)
    expect([name, await new Bun.Image(file).metadata()]).toMatchObject([
      name,
      { width: Number(width), height: Number(height), format: name.endsWith(".png") ? "png" : "jpeg" }
    ])
    if (!name.startsWith("icon")) expect(name).toEndWith(".jpg")
  }
})
