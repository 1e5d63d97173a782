import { describe, expect, test } from "bun:test"
import { strFromU8, strToU8, unzipSync } from "fflate"
import pack from "../../../package.json" with { type: "json" }
import { CONFIGURATION } from "../../../src/shared/Handover.ts"
import messages from "../../../web/extension/_locales/en/messages.json" with { type: "json" }
import { buildExtension, extensionFiles, INJECTED, PARTS, TARGETS } from "../../../web/extension/build.ts"
import { POLICY } from "../../../web/extension/manifest.ts"

const zips = await buildExtension()
const unpacked = new Map(zips.map(({ bytes, name }) => [name, unzipSync(bytes)]))
const textOf = (name: string, file: string) => strFromU8(unpacked.get(name)?.[file] ?? new Uint8Array())
const NAMES = TARGETS.map((target) => `linkbower-${target}.zip`)

const sources = async () => {
  const texts: Array<string> = []
  for await (const file of new Bun.Glob("web/extension/**/*.{ts,html}").scan())
    texts.push(await Bun.file(file).text())
  return texts.join("\n")
}

describe.each(NAMES)("%s", (name) => {
  const files = unpacked.get(name) ?? {}
  const manifest = JSON.parse(textOf(name, "manifest.json"))

  test("requests only the permissions it needs, and no host before the user names one", () => {
    expect(manifest.permissions.toSorted()).toEqual([
      "activeTab",
      "alarms",
      "contextMenus",
      "scripting",
      "storage"
    ])
    expect(manifest.optional_permissions).toEqual(["tabs", "bookmarks"])
    expect(manifest.optional_host_permissions).toEqual(["https://*/*", "http://*/*"])
    for (const absent of [
      "host_permissions",
      "content_scripts",
      "externally_connectable",
      "web_accessible_resources"
    ])
      expect([absent, manifest[absent]]).toEqual([absent, undefined])
    expect(manifest.incognito).toBe("not_allowed")
    expect(manifest.omnibox).toEqual({ keyword: "lb" })
  })

  test("runs its own scripts only", () => {
    expect(manifest.content_security_policy).toEqual({ extension_pages: POLICY })
    expect(POLICY).toStartWith("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(POLICY).not.toContain("unsafe")
    for (const [file, bytes] of Object.entries(files)) {
      if (/\.(js|html)$/.test(file))
        expect([
          file,
          strFromU8(bytes).match(
            /innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function|https?:\/\/(?!\$|links\.example)/
          )?.[0]
        ]).toEqual([file, undefined])
      if (file.endsWith(".html"))
        expect(strFromU8(bytes)).not.toMatch(/<script(?![^>]*src=)|<style|\son\w+=|\sstyle=/)
    }
  })

  test("contains exactly the files that it names", () => {
    const named = [
      ...Object.values<string>(manifest.icons),
      manifest.action.default_popup,
      manifest.options_ui.page,
      manifest.background.service_worker ?? manifest.background.scripts[0],
      "manifest.json",
      CONFIGURATION,
      `_locales/${manifest.default_locale}/messages.json`
    ]
    const pages = ["popup.html", "options.html"].flatMap((page) => [
      ...textOf(name, page).matchAll(/(?:src|href)="([^"#]+)/g)
    ])
    const imported = Object.keys(files)
      .filter((file) => file.endsWith(".js"))
      .flatMap((file) => [...textOf(name, file).matchAll(/(?:from |import\()"\.\/([^"]+)"/g)])
    const wanted = [...INJECTED, ...PARTS].map((script) => `${script}.js`)
    const all = new Set([...named, ...wanted, ...[...pages, ...imported].map(([, file = ""]) => file)])
    expect(Object.keys(files).toSorted()).toEqual([...all].toSorted())
  })

  test("has icons of the declared sizes", () => {
    for (const [size, file] of Object.entries<string>(manifest.icons)) {
      const bytes = files[file] ?? new Uint8Array(24)
      const view = new DataView(bytes.buffer, bytes.byteOffset)
      expect([strFromU8(bytes.slice(1, 4)), view.getUint32(16), view.getUint32(20)]).toEqual([
        "PNG",
        Number(size),
        Number(size)
      ])
    }
  })

  test("has this program's version and every text that it names", () => {
    expect([manifest.manifest_version, manifest.version]).toEqual([3, pack.version])
    expect(manifest.version).toMatch(/^\d+(\.\d+){0,3}$/)
    const named = [...JSON.stringify(manifest).matchAll(/__MSG_(\w+)__/g)].map(([, text = ""]) => text)
    expect(named.length).toBeGreaterThan(3)
    for (const text of named) expect(Object.keys(messages)).toContain(text)
    expect(messages.description.message.length).toBeLessThanOrEqual(132)
  })

  /** The modules that a script loads before the user does anything, and their bytes. */
  const loadedBy = (script: string) => {
    const scripts = new Set([script])
    for (const file of scripts)
      for (const [, imported = ""] of textOf(name, file).matchAll(/from "\.\/([^"]+)"/g))
        scripts.add(imported)
    const modules = [...scripts].flatMap((file) => [
      ...textOf(name, file).matchAll(/^ *\/\/ (\w+\.ts)\n([\s\S]*?)(?=^ *\/\/ \w+\.ts\n|$(?![\s\S]))/gm)
    ])
    return {
      bytes: [...scripts].reduce((sum, file) => sum + (files[file]?.length ?? 0), 0),
      modules: new Map(modules.map(([, module = "", code = ""]) => [module, strToU8(code).length]))
    }
  }
  const tables = [
    ...["Form", "CodeSites", "MediaSites", "PaperSites", "ShopSites", "Wrappers", "PageKey"],
    ...["Tracking", "UrlIdentity", "WebAddress"]
  ].map((table) => `${table}.ts`)

  test("loads at most 40 kB for the popup or the options before a click, and no tables of sites", () => {
    for (const script of ["popup.js", "options.js"]) {
      const { bytes, modules } = loadedBy(script)
      expect(bytes).toBeWithin(25_000, 40_000)
      expect(tables.filter((table) => modules.has(table) && table !== "WebAddress.ts")).toEqual([])
    }
  })

  test("starts its worker with 20 kB; the rest of it, the tables of sites among it, is loaded when wanted", () => {
    const { bytes, modules } = loadedBy("background.js")
    expect(bytes).toBeWithin(10_000, 20_000)
    const apart = [...tables, "library.ts", "send.ts", "work.ts"]
    expect(apart.filter((module) => modules.has(module))).toEqual([])
    // Only the part with the keys has the tables.
    expect(tables.filter((table) => loadedBy("work.js").modules.has(table))).toEqual([])
    expect(tables.filter((table) => !loadedBy("keys.js").modules.has(table))).toEqual([])
    for (const script of ["background.js", "work.js"])
      for (const words of ["TreeWalker", "attachShadow", "shadowRoot"])
        expect([script, words, textOf(name, script).includes(words)]).toEqual([script, words, false])
  })

  test("has readable scripts, not minified", () => {
    for (const file of Object.keys(files).filter((file) => file.endsWith(".js"))) {
      const lines = textOf(name, file).split("\n")
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(600)
    }
  })
})

test("each manifest names its browser's minimum version", () => {
  const [chrome, firefox] = NAMES.map((name) => JSON.parse(textOf(name, "manifest.json")))
  expect([chrome.minimum_chrome_version, chrome.browser_specific_settings]).toEqual(["126", undefined])
  // Firefox's linter warns about a service worker, and Chrome about background scripts.
  expect([chrome.background, firefox.background]).toEqual([
    { service_worker: "background.js" },
    { scripts: ["background.js"] }
  ])
  expect(firefox.browser_specific_settings.gecko).toMatchObject({
    id: expect.stringMatching(/^[\w.-]+@[\w.-]+$/),
    strict_min_version: "142.0",
    data_collection_permissions: {
      required: ["browsingActivity", "websiteContent"],
      optional: ["bookmarksInfo"]
    }
  })
  expect(Object.keys(chrome.commands)).toEqual(["_execute_action", "save-silent"])
  for (const { commands } of [chrome, firefox])
    expect(commands["save-silent"].suggested_key).toEqual({ default: "Alt+Shift+S" })
})

test("a package from a store or a build names no service", () => {
  for (const name of NAMES) expect(JSON.parse(textOf(name, CONFIGURATION))).toEqual({ connect: "" })
})

test("both browsers get the same files", async () => {
  const [chrome, firefox] = await Promise.all(TARGETS.map(extensionFiles))
  const { "manifest.json": _, ...rest } = { ...chrome }
  expect(firefox).toMatchObject(rest)
})

test("a build is reproducible", async () => {
  const again = await buildExtension()
  expect(again.map(({ bytes }) => Bun.hash(bytes))).toEqual(zips.map(({ bytes }) => Bun.hash(bytes)))
})

test("every text is used, and every text that a page names exists", async () => {
  const code = await sources()
  for (const [, name = ""] of code.matchAll(/__MSG_(\w+)__/g))
    expect([...Object.keys(messages), "name"]).toContain(name)
  const families = /^(trouble_|probe_|menu_|skipped_|reading_|address(Missing|Broken|Insecure)$)/
  const unused = Object.keys(messages).filter(
    (name) => !families.test(name) && !new RegExp(`["'_]${name}["'_]`).test(code)
  )
  expect(unused).toEqual([])
})
