import { expect, test } from "bun:test"
import { Glob } from "bun"

const APP = `${import.meta.dir}/../../web/app`

const read = (pattern: string, folder: string) =>
  Promise.all([...new Glob(pattern).scanSync(folder)].map((path) => Bun.file(`${folder}/${path}`).text()))

/** Classes without a style of their own, by which tests find a part. */
const UNSTYLED = new Set(["jobs", "links-item", "printed-address"])

/** The string after `class=`: what stands in quotes, also within an expression. */
const classesIn = (source: string): ReadonlyArray<string> =>
  [...source.matchAll(/\bclass=(?:"([^"]*)"|\{([^}]*(?:\$\{[^}]*\}[^}]*)*)\})/g)].flatMap(
    ([, plain, expression = ""]) =>
      plain !== undefined
        ? plain.split(/\s+/)
        : [...expression.matchAll(/["`]([^"`]*)["`]/g)].flatMap(([, text = ""]) =>
            text.replace(/\$\{[^}]*\}/g, " ").split(/\s+/)
          )
  )

test("every class that the app's components use has a style", async () => {
  const styles = (await read("*.css", `${APP}/styles`)).join("\n")
  const defined = new Set([...styles.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name))
  const components = await read("**/*.tsx", APP)
  const used = new Set(components.flatMap(classesIn).filter((name) => name !== ""))
  expect(used.size).toBeGreaterThan(150)
  expect([...used].filter((name) => !defined.has(name) && !UNSTYLED.has(name)).toSorted()).toEqual([])
  expect([...UNSTYLED].filter((name) => !used.has(name) || defined.has(name))).toEqual([])
})

test("every class that the pages of the first hour use has a style in their own stylesheet", async () => {
  const folder = `${APP}/../onboarding`
  const styles = [
    ...(await read("*.css", `${folder}/styles`)),
    ...(await read("{tokens,base,utilities,controls,fields}.css", `${APP}/styles`))
  ].join("\n")
  const defined = new Set([...styles.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name))
  const components = [
    ...(await read("*.tsx", folder)),
    ...(await read("{Icon,Logo}.tsx", `${APP}/components`))
  ]
  const used = new Set(components.flatMap(classesIn).filter((name) => name !== ""))
  expect(used.size).toBeGreaterThan(30)
  expect([...used].filter((name) => !defined.has(name)).toSorted()).toEqual([])
})
