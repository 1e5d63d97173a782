import { lower, type Site } from "./Form.ts"

const branch = "(?:main|master|HEAD)"
const readme = String.raw`(?:\.github\/)?readme(?:\.(?:md|markdown|rst|txt|adoc|org))?`
/** An owner and a repository; GitHub ignores their case. */
const repository = String.raw`(?<owner>[\w.-]+)\/(?<name>[\w.-]+?)`
/** Python's normal form of a project's name (PEP 503). */
const projectName = (name: string) => name.toLowerCase().replace(/[-_.]+/g, "-")

/** First steps of GitHub's own pages, which are not owners. */
const ownPages =
  "(?!(?:topics|orgs|users|search|sponsors|features|marketplace|collections|settings|apps|login|trending)/)"

/** The sites of Stack Exchange, which number questions and answers alike. */
const questionSites = [
  ...["stackoverflow.com", "*.stackoverflow.com", "*.stackexchange.com", "serverfault.com", "superuser.com"],
  ...["askubuntu.com", "mathoverflow.net", "stackapps.com"]
]

export const codeSites: ReadonlyArray<Site> = [
  {
    hosts: ["github.com"],
    forms: [
      {
        path: new RegExp(`^/${ownPages}${repository}\\.git$`),
        to: "github.com/{owner}/{name}",
        spelled: lower
      },
      { path: new RegExp(`^/${ownPages}${repository}$`), to: "github.com/{owner}/{name}", spelled: lower },
      {
        path: new RegExp(
          `^/${repository}/(?:tree/${branch}|blob/${branch}/${readme}|blob/${branch}/README)$`,
          "i"
        ),
        to: "github.com/{owner}/{name}",
        only: "finding",
        spelled: lower
      },
      {
        path: new RegExp(`^/${repository}/(?:pull|issues)/(?<n>\\d+)(?:/(?:files|commits|checks|changes))?$`),
        to: "github.com/{owner}/{name}/issues/{n}",
        only: "finding",
        spelled: lower
      },
      {
        path: new RegExp(`^/${repository}/(?:blob|raw|blame|edit)/(?:refs/heads/)?(?<file>[^/]+/.+)$`),
        to: "github.com/{owner}/{name}/blob/{file}",
        only: "finding"
      }
    ]
  },
  {
    hosts: ["raw.githubusercontent.com", "raw.github.com"],
    forms: [
      {
        path: new RegExp(`^/${repository}/(?:refs/heads/)?(?<file>[^/]+/.+)$`),
        to: "github.com/{owner}/{name}/blob/{file}",
        only: "finding"
      }
    ]
  },
  {
    hosts: ["gist.github.com"],
    forms: [{ path: /^\/(?:[\w-]+\/)?(?<id>[\da-f]{20,32})$/, to: "gist.github.com/{id}" }]
  },
  {
    hosts: ["gist.githubusercontent.com"],
    forms: [
      { path: /^\/[\w-]+\/(?<id>[\da-f]{20,32})\/raw(?:\/.*)?$/, to: "gist.github.com/{id}", only: "finding" }
    ]
  },
  {
    hosts: ["gitlab.com"],
    forms: [
      { path: /^\/(?<path>[\w.-]+(?:\/[\w.-]+)+)\.git$/, to: "gitlab.com/{path}" },
      {
        path: new RegExp(
          `^/(?<path>[\\w.-]+(?:/[\\w.-]+)+)/-/(?:tree/${branch}|blob/${branch}/${readme})$`,
          "i"
        ),
        to: "gitlab.com/{path}",
        only: "finding"
      },
      {
        path: /^\/(?<path>[\w.-]+\/[\w.-]+)\/(?<kind>issues|merge_requests)\/(?<n>\d+)$/,
        to: "gitlab.com/{path}/-/{kind}/{n}"
      }
    ]
  },
  {
    hosts: ["codeberg.org", "gitea.com"],
    forms: [
      { path: /^\/(?<path>[\w.-]+\/[\w.-]+)\.git$/, to: "{host}/{path}", spelled: lower },
      {
        path: new RegExp(`^/(?<path>[\\w.-]+/[\\w.-]+)/src/branch/${branch}(?:/${readme})?$`, "i"),
        to: "{host}/{path}",
        only: "finding",
        spelled: lower
      }
    ]
  },
  {
    hosts: questionSites,
    forms: [
      { path: /^\/(?:q|questions)\/(?<n>\d+)(?:\/.*)?$/, to: "{host}/q/{n}", keeps: ["page"] },
      { path: /^\/a\/(?<n>\d+)(?:\/\d+)?$/, to: "{host}/a/{n}" }
    ]
  },
  {
    hosts: ["npmjs.com", "npmjs.org", "npm.im"],
    home: "npmjs.com",
    forms: []
  },
  {
    hosts: ["pypi.org", "pypi.python.org"],
    forms: [
      { path: /^\/(?:project|pypi)\/(?<name>[\w.-]+)$/, to: "pypi.org/project/{name}", spelled: projectName }
    ]
  },
  {
    hosts: ["hub.docker.com"],
    forms: [
      { path: /^\/_\/(?<name>[\w.-]+)(?:\/tags)?$/, to: "hub.docker.com/_/{name}" },
      { path: /^\/r\/(?<name>[\w.-]+\/[\w.-]+)(?:\/tags)?$/, to: "hub.docker.com/r/{name}" }
    ]
  },
  {
    hosts: ["pkg.go.dev"],
    forms: [{ path: /^\/(?<path>[^?]+)$/, to: "pkg.go.dev/{path}" }]
  },
  {
    hosts: ["marketplace.visualstudio.com"],
    forms: [
      {
        path: /^\/items$/,
        query: { itemName: /^[\w.-]+$/ },
        to: "marketplace.visualstudio.com/items?itemName={itemName}",
        spelled: lower
      }
    ]
  },
  {
    hosts: ["chrome.google.com", "chromewebstore.google.com"],
    forms: [
      {
        path: /^\/(?:webstore\/)?detail\/(?:[^/]+\/)?(?<id>[a-p]{32})(?:\/\w+)?$/,
        to: "chromewebstore.google.com/detail/{id}"
      }
    ]
  },
  {
    hosts: ["addons.mozilla.org"],
    forms: [
      {
        path: /^\/(?:[a-z]{2,3}(?:-[A-Z]{2})?\/)?(?:firefox|android)\/addon\/(?<name>[^/]+)$/,
        to: "addons.mozilla.org/firefox/addon/{name}",
        only: "finding"
      }
    ]
  },
  {
    hosts: ["bugzilla.mozilla.org", "bugzil.la"],
    forms: [
      { path: /^\/(?<id>\d+)$/, to: "bugzilla.mozilla.org/show_bug.cgi?id={id}" },
      { path: /^\/show_bug\.cgi$/, query: { id: /^\d+$/ }, to: "bugzilla.mozilla.org/show_bug.cgi?id={id}" }
    ]
  },
  {
    hosts: ["bugs.debian.org"],
    forms: [
      { path: /^\/(?<bug>\d+)$/, to: "bugs.debian.org/{bug}" },
      {
        path: /^\/cgi-bin\/bugreport\.cgi$/,
        query: { bug: /^\d+$/ },
        to: "bugs.debian.org/{bug}",
        unless: ["msg", "att"]
      }
    ]
  },
  {
    hosts: ["news.ycombinator.com"],
    forms: [
      { path: /^\/item$/, query: { id: /^\d+$/ }, to: "news.ycombinator.com/item?id={id}", only: "finding" }
    ]
  },
  {
    hosts: ["lobste.rs"],
    forms: [{ path: /^\/s\/(?<id>\w{6})(?:\/.*)?$/, to: "lobste.rs/s/{id}" }]
  }
]
