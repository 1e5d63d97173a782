import { describe, expect, test } from "bun:test"
import { mainLanguage, repositoryIn } from "../../../src/enrich/repository/RepositoryJson.ts"
import { bytes, describeData, json } from "../../support/data.ts"

interface Recorded {
  readonly file: string
  readonly full_name: string
  readonly stars: number
  readonly description: string | null
  readonly archived: boolean
  readonly topics: ReadonlyArray<string> | null
  readonly hasLicense: boolean
}

const textOf = (file: string) => new TextDecoder().decode(bytes(`repo-api/${file}`))

/** All objects in a JSON value that have `field`, at any depth. */
const holding = (value: unknown, field: string): ReadonlyArray<object> => {
  if (typeof value !== "object" || value === null) return []
  return [
    ...(field in value ? [value] : []),
    ...Object.values(value).flatMap((inner) => holding(inner, field))
  ]
}

describeData("repo-api", "recorded responses", () => {
  const index = json<ReadonlyArray<Recorded>>("repo-api/index.json")
  const of = (folder: string) => index.filter(({ file }) => file.startsWith(`${folder}/`))

  for (const recorded of of("github")) {
    test(`${recorded.file} describes ${recorded.full_name}`, () => {
      const found = repositoryIn({ kind: "github", host: "github.com" }, textOf(recorded.file))
      expect(found).toMatchObject({
        host: "github.com",
        fullName: recorded.full_name,
        stars: recorded.stars,
        description: recorded.description?.replace(/\s+/g, " ") ?? null,
        archived: recorded.archived,
        topics: recorded.topics ?? []
      })
      if (!recorded.hasLicense) expect(found?.license).toBeNull()
    })
  }

  test("have the license as an SPDX identifier, or none", () => {
    const license = (file: string) =>
      repositoryIn({ kind: "github", host: "github.com" }, textOf(`github/${file}.json`))?.license
    expect(license("hub4j__github-api")).toBe("MIT")
    expect(license("bndtools__bnd")).toBeNull()
  })

  const gitLab = of("gitlab").flatMap(({ file }) =>
    holding(JSON.parse(textOf(file)), "path_with_namespace").map((project) => ({ file, project }))
  )
  test("of GitLab contain projects", () => expect(gitLab.length).toBeGreaterThanOrEqual(9))
  for (const { file, project } of gitLab) {
    test(`${file} describes a project`, () => {
      const found = repositoryIn({ kind: "gitlab", host: "gitlab.com" }, JSON.stringify(project))
      expect(project).toMatchObject({ path_with_namespace: found?.fullName })
      expect(found).toMatchObject({ stars: "star_count" in project ? project.star_count : 0, topics: [] })
    })
  }

  test("of Forgejo are decoded", () =>
    expect(
      repositoryIn({ kind: "forgejo", host: "codeberg.org" }, textOf("forgejo/codeberg-homma.json"))
    ).toEqual({
      host: "codeberg.org",
      fullName: "orgrinrt/homma",
      description: "workspace tooling",
      language: null,
      stars: 0,
      topics: ["rust", "workspace"],
      license: null,
      archived: false
    }))
})

const minimal = {
  host: "h",
  fullName: "a/b",
  description: null,
  language: null,
  stars: 0,
  topics: [],
  license: null,
  archived: false
}
const hosts = [
  { kind: "github", name: "full_name", stars: "stargazers_count" },
  { kind: "gitlab", name: "path_with_namespace", stars: "star_count" },
  { kind: "forgejo", name: "full_name", stars: "stars_count" }
] as const

for (const { kind, name, stars } of hosts) {
  const read = (text: string) => repositoryIn({ kind, host: "h" }, text)
  describe(`a response of ${kind}`, () => {
    test("needs only a name", () => expect(read(JSON.stringify({ [name]: "a/b" }))).toEqual(minimal))

    for (const invalid of [null, -1, 1.5, "many", {}, [], [7]]) {
      test(`ignores fields with the value ${JSON.stringify(invalid)}`, () => {
        const fields = [
          stars,
          "description",
          "language",
          "topics",
          "tag_list",
          "license",
          "licenses",
          "archived"
        ]
        const answer = Object.fromEntries(fields.map((field) => [field, invalid]))
        const found = read(JSON.stringify({ ...answer, [name]: "a/b" }))
        expect({ ...found, description: null, language: null }).toEqual(minimal)
      })
    }

    test("has its fields shortened", () => {
      const long = "x".repeat(100_000)
      const answer = {
        [name]: long,
        description: long,
        language: long,
        topics: Array(50).fill(long),
        license: { spdx_id: long, key: long },
        licenses: [long]
      }
      expect(JSON.stringify(read(JSON.stringify(answer)) ?? {}).length).toBeLessThan(3000)
    })

    for (const text of [
      "",
      "null",
      "[]",
      "{}",
      "7",
      "<html>",
      `{"${name}":7}`,
      `{"${name}":""}`,
      '{"message":"Not Found"}'
    ]) {
      test(`is rejected if it is ${text}`, () => expect(read(text)).toBeUndefined())
    }
  })
}

test("GitLab licenses become SPDX identifiers", () => {
  const license = (key: string) =>
    repositoryIn(
      { kind: "gitlab", host: "h" },
      JSON.stringify({ path_with_namespace: "a/b", license: { key } })
    )?.license
  expect(["mit", "gpl-3.0", "apache-2.0", "bsd-3-clause", "unlicense", "other"].map(license)).toEqual([
    "MIT",
    "GPL-3.0",
    "Apache-2.0",
    "BSD-3-Clause",
    "Unlicense",
    null
  ])
})

test("the main language is the one with the largest share", () => {
  expect(mainLanguage('{"Shell":1.5,"Ruby":66.7,"Go":31.8}')).toBe("Ruby")
  for (const nothing of ["{}", "[]", "null", "x", '{"Ruby":"most"}']) expect(mainLanguage(nothing)).toBeNull()
})
