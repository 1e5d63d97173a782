import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import { repositoryOf } from "../../../src/enrich/repository/RepositoryAddress.ts"
import { describeData, json } from "../../support/data.ts"

const found = (address: string, enterpriseHost?: string) =>
  Option.match(repositoryOf(new URL(address), enterpriseHost), {
    onNone: () => null,
    onSome: ({ kind, host, path }) => `${kind} ${host} ${path}`
  })

const table: Record<string, string | null> = {
  "https://github.com/Effect-TS/effect": "github github.com Effect-TS/effect",
  "https://github.com/acme/rocket/": "github github.com acme/rocket",
  "https://www.github.com/acme/rocket": "github github.com acme/rocket",
  "http://github.com/acme/rocket.git": "github github.com acme/rocket",
  "https://GitHub.com//acme/rocket/tree/main/src#readme": "github github.com acme/rocket",
  "https://github.com/acme/rocket/issues/12?q=is%3Aopen": "github github.com acme/rocket",
  "https://github.com/acme/rocket/blob/main/features/topics.md": "github github.com acme/rocket",
  "https://github.com/vercel/next.js": "github github.com vercel/next.js",
  "https://github.com/acme/.github": "github github.com acme/.github",
  "https://raw.githubusercontent.com/acme/rocket/main/README.md": "github github.com acme/rocket",
  "https://github.com/acme": null,
  "https://github.com/": null,
  "https://github.com/features/actions": null,
  "https://github.com/Topics/typescript": null,
  "https://github.com/orgs/acme/repositories": null,
  "https://github.com/sponsors/acme": null,
  "https://github.com/settings/tokens": null,
  "https://github.com/marketplace/actions/checkout": null,
  "https://github.com/acme/..%2f..": null,
  "https://github.com/acme/%2e%2e": null,
  "https://github.com/acme/a b": null,
  "https://github.com/acme/rocket\\tree": "github github.com acme/rocket",
  "https://gist.github.com/acme/0123456789": null,
  "https://docs.github.com/en/rest": null,
  "https://acme.github.io/rocket/docs": null,
  "https://github.com.evil.test/acme/rocket": null,
  "https://evilgithub.com/acme/rocket": null,
  "https://github.com:8443/acme/rocket": null,
  "https://github.com@evil.test/acme/rocket": null,

  "https://gitlab.com/gitlab-org/gitlab": "gitlab gitlab.com gitlab-org/gitlab",
  "https://gitlab.com/a/b/c/d/project/-/blob/main/x.md": "gitlab gitlab.com a/b/c/d/project",
  "https://gitlab.com/a/b/project/-/issues/1": "gitlab gitlab.com a/b/project",
  "https://gitlab.com/a/b/project": "gitlab gitlab.com a/b/project",
  "https://gitlab.com/a/project/issues/7": "gitlab gitlab.com a/project",
  "https://gitlab.com/a/project/tree/main/issues": "gitlab gitlab.com a/project",
  "https://gitlab.com/a/project.git": "gitlab gitlab.com a/project",
  "https://gitlab.com/groups/a/-/members": null,
  "https://gitlab.com/a/-/epics": null,
  "https://gitlab.com/-/snippets/1": null,
  "https://gitlab.com/users/sign_in": null,
  "https://gitlab.com/explore/projects": null,
  "https://gitlab.gnome.org/GNOME/gtk": "gitlab gitlab.gnome.org GNOME/gtk",
  "https://gitlab.example.org:8443/a/b": "gitlab gitlab.example.org:8443 a/b",
  "https://salsa.debian.org/debian/pkg": "gitlab salsa.debian.org debian/pkg",
  "https://invent.kde.org/plasma/kwin/-/tree/master": "gitlab invent.kde.org plasma/kwin",
  "https://docs.gitlab.com/ee/api": null,
  "https://notgitlab.com/a/b": null,

  "https://codeberg.org/forgejo/forgejo/src/branch/main": "forgejo codeberg.org forgejo/forgejo",
  "https://gitea.com/gitea/tea": "forgejo gitea.com gitea/tea",
  "https://forgejo.example.org/a/b/issues": "forgejo forgejo.example.org a/b",
  "https://codeberg.org/explore/repos": null,
  "https://codeberg.org/user/login": null,
  "https://codeberg.org/forgejo": null,

  "https://example.org/acme/rocket": null,
  "https://bitbucket.org/acme/rocket": null
}

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
