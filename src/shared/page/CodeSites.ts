import { always, finding, lower, on, type Site, sameOn } from "./Form.ts"

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
const questionSites =
  "stackoverflow.com *.stackoverflow.com *.stackexchange.com serverfault.com superuser.com askubuntu.com mathoverflow.net stackapps.com"

const gitHubForms = [
  always(new RegExp(`^/${ownPages}${repository}\\.git$`), "github.com/{owner}/{name}", { spelled: lower }),
  always(new RegExp(`^/${ownPages}${repository}$`), "github.com/{owner}/{name}", { spelled: lower }),
  finding(
    new RegExp(`^/${repository}/(?:tree/${branch}|blob/${branch}/${readme}|blob/${branch}/README)$`, "i"),
    "github.com/{owner}/{name}",
    { spelled: lower }
  ),
  finding(
    new RegExp(`^/${repository}/(?:pull|issues)/(?<n>\\d+)(?:/(?:files|commits|checks|changes))?$`),
    "github.com/{owner}/{name}/issues/{n}",
    { spelled: lower }
  ),
  finding(
    new RegExp(`^/${repository}/(?:blob|raw|blame|edit)/(?:refs/heads/)?(?<file>[^/]+/.+)$`),
    "github.com/{owner}/{name}/blob/{file}"
  )
]

export const codeSites: ReadonlyArray<Site> = [
  on("github.com", ...gitHubForms),
  on(
    "raw.githubusercontent.com raw.github.com",
    finding(
      new RegExp(`^/${repository}/(?:refs/heads/)?(?<file>[^/]+/.+)$`),
      "github.com/{owner}/{name}/blob/{file}"
    )
  ),
  on("gist.github.com", always(/^\/(?:[\w-]+\/)?(?<id>[\da-f]{20,32})$/, "gist.github.com/{id}")),
  on(
    "gist.githubusercontent.com",
    finding(/^\/[\w-]+\/(?<id>[\da-f]{20,32})\/raw(?:\/.*)?$/, "gist.github.com/{id}")
  ),
  on(
    "gitlab.com",
    always(/^\/(?<path>[\w.-]+(?:\/[\w.-]+)+)\.git$/, "gitlab.com/{path}"),
    finding(
      new RegExp(`^/(?<path>[\\w.-]+(?:/[\\w.-]+)+)/-/(?:tree/${branch}|blob/${branch}/${readme})$`, "i"),
      "gitlab.com/{path}"
    ),
    always(
      /^\/(?<path>[\w.-]+\/[\w.-]+)\/(?<kind>issues|merge_requests)\/(?<n>\d+)$/,
      "gitlab.com/{path}/-/{kind}/{n}"
    )
  ),
  on(
    "codeberg.org gitea.com",
    always(/^\/(?<path>[\w.-]+\/[\w.-]+)\.git$/, "{host}/{path}", { spelled: lower }),
    finding(
      new RegExp(`^/(?<path>[\\w.-]+/[\\w.-]+)/src/branch/${branch}(?:/${readme})?$`, "i"),
      "{host}/{path}",
      { spelled: lower }
    )
  ),
  on(
    questionSites,
    always(/^\/(?:q|questions)\/(?<n>\d+)(?:\/.*)?$/, "{host}/q/{n}", { keeps: ["page"] }),
    always(/^\/a\/(?<n>\d+)(?:\/\d+)?$/, "{host}/a/{n}")
  ),
  sameOn("npmjs.com", "npmjs.com npmjs.org npm.im", ""),
  on(
    "pypi.org pypi.python.org",
    always(/^\/(?:project|pypi)\/(?<name>[\w.-]+)$/, "pypi.org/project/{name}", { spelled: projectName })
  ),
  on(
    "hub.docker.com",
    always(/^\/_\/(?<name>[\w.-]+)(?:\/tags)?$/, "hub.docker.com/_/{name}"),
    always(/^\/r\/(?<name>[\w.-]+\/[\w.-]+)(?:\/tags)?$/, "hub.docker.com/r/{name}")
  ),
  on("pkg.go.dev", always(/^\/(?<path>[^?]+)$/, "pkg.go.dev/{path}")),
  on(
    "marketplace.visualstudio.com",
    always(/^\/items$/, "marketplace.visualstudio.com/items?itemName={itemName}", {
      query: { itemName: /^[\w.-]+$/ },
      spelled: lower
    })
  ),
  on(
    "chrome.google.com chromewebstore.google.com",
    always(
      /^\/(?:webstore\/)?detail\/(?:[^/]+\/)?(?<id>[a-p]{32})(?:\/\w+)?$/,
      "chromewebstore.google.com/detail/{id}"
    )
  ),
  on(
    "addons.mozilla.org",
    finding(
      /^\/(?:[a-z]{2,3}(?:-[A-Z]{2})?\/)?(?:firefox|android)\/addon\/(?<name>[^/]+)$/,
      "addons.mozilla.org/firefox/addon/{name}"
    )
  ),
  on(
    "bugzilla.mozilla.org bugzil.la",
    always(/^\/(?<id>\d+)$/, "bugzilla.mozilla.org/show_bug.cgi?id={id}"),
    always(/^\/show_bug\.cgi$/, "bugzilla.mozilla.org/show_bug.cgi?id={id}", { query: { id: /^\d+$/ } })
  ),
  on(
    "bugs.debian.org",
    always(/^\/(?<bug>\d+)$/, "bugs.debian.org/{bug}"),
    always(/^\/cgi-bin\/bugreport\.cgi$/, "bugs.debian.org/{bug}", {
      query: { bug: /^\d+$/ },
      unless: ["msg", "att"]
    })
  ),
  on(
    "news.ycombinator.com",
    finding(/^\/item$/, "news.ycombinator.com/item?id={id}", { query: { id: /^\d+$/ } })
  ),
  on("lobste.rs", always(/^\/s\/(?<id>\w{6})(?:\/.*)?$/, "lobste.rs/s/{id}"))
]
