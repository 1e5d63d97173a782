import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import { repositoryOf } from "../../../src/enrich/repository/RepositoryAddress.ts"
import { describeData, json } from "../../support/data.ts"
import { rowsOf } from "../../support/rows.ts"

const found = (address: string, enterpriseHost?: string) =>
  Option.match(repositoryOf(new URL(address), enterpriseHost), {
    onNone: () => null,
    onSome: ({ kind, host, path }) => `${kind} ${host} ${path}`
  })

const table: Record<string, string | null> = Object.fromEntries(
  rowsOf<readonly [string, string | null]>(import.meta, "RepositoryAddress")
)

describe("repositoryOf", () => {
  for (const [address, repository] of Object.entries(table)) {
    test(`returns ${repository ?? "none"} for ${address}`, () => expect(found(address)).toBe(repository))
  }

  test("supports the configured GitHub Enterprise host only", () => {
    expect(found("https://git.corp.test/acme/rocket", "git.corp.test")).toBe(
      "github git.corp.test acme/rocket"
    )
    expect(found("https://github.com/acme/rocket", "git.corp.test")).toBe("github github.com acme/rocket")
    expect(found("https://git.corp.test/acme/rocket")).toBeNull()
  })

  test("drops the credentials of the address", () =>
    expect(JSON.stringify(repositoryOf(new URL("https://me:secret@codeberg.org/a/b")))).not.toContain(
      "secret"
    ))

  test("rejects paths deeper than GitLab allows", () => {
    expect(found(`https://gitlab.com/${"a/".repeat(22)}`)).not.toBeNull()
    expect(found(`https://gitlab.com/${"a/".repeat(23)}`)).toBeNull()
  })
})

describeData("repo-api", "repositoryOf on recorded repositories", () => {
  test("finds them by their web addresses", () => {
    const index = json<ReadonlyArray<{ file: string; full_name?: string }>>("repo-api/index.json")
    const gitHub = index.filter(({ file }) => file.startsWith("github/"))
    expect(gitHub.length).toBeGreaterThan(20)
    for (const { full_name } of gitHub)
      expect(found(`https://github.com/${full_name}/wiki`)).toBe(`github github.com ${full_name}`)
  })
})
