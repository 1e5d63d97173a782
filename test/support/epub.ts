import { EpubCheck } from "@likecoin/epubcheck-ts"
import { unzipSync } from "fflate"
import { wellFormed } from "./wellFormed.ts"

const decoder = new TextDecoder()

const valuesOf = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map(([, value = ""]) => value)

/** The files of an EPUB, and its text files. */
export const readEpub = (bytes: Uint8Array) => {
  const files = unzipSync(bytes)
  const text = (name: string) => decoder.decode(files[name] ?? new Uint8Array())
  return { files, names: Object.keys(files), text }
}

/** What EPUB 3.3 and XML forbid about a file; empty if nothing. */
export const problemsOfEpub = async (bytes: Uint8Array): Promise<ReadonlyArray<string>> => {
  const { names, text } = readEpub(bytes)
  const problems: Array<string> = []
  const start = decoder.decode(bytes.subarray(30, 58))
  if (start !== "mimetypeapplication/epub+zip") problems.push(`begins with ${start}`)
  for (const name of names.filter((one) => /\.(?:xhtml|opf|ncx|xml)$/.test(one)))
    if (!wellFormed(text(name).replace("<!DOCTYPE html>\n", ""))) problems.push(`${name} is not well-formed`)
  const opf = text("EPUB/package.opf")
  const listed = valuesOf(opf.slice(opf.indexOf("<manifest>")), "href").map((href) => `EPUB/${href}`)
  const inside = names.filter((name) => name.startsWith("EPUB/") && name !== "EPUB/package.opf")
  if (listed.toSorted().join() !== inside.toSorted().join()) problems.push("the manifest is not complete")
  const pages = names.filter((name) => name.endsWith(".xhtml"))
  const ids = new Map(pages.map((name) => [name, valuesOf(text(name), "id")]))
  for (const name of pages) {
    if (new Set(ids.get(name)).size !== ids.get(name)?.length) problems.push(`${name} repeats an id`)
    for (const href of [...valuesOf(text(name), "href"), ...valuesOf(text(name), "src")]) {
      if (/^https?:/.test(href)) continue
      const [file = "", id] = href.split("#")
      const target = file === "" ? name : `EPUB/${file}`
      if (!names.includes(target) || (id !== undefined && ids.get(target)?.includes(id) !== true))
        problems.push(`${name} leads to ${href}`)
    }
    if (/<(?:img|link|script)[^>]* (?:src|href)="https?:/.test(text(name)))
      problems.push(`${name} loads from outside`)
  }
  const { messages } = await EpubCheck.validate(bytes)
  return [
    ...problems,
    ...messages
      .filter(({ severity }) => severity === "error" || severity === "fatal")
      .map(({ id, location, message }) => `${id} ${message} ${location?.path}`)
  ]
}
