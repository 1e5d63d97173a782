import { expect } from "bun:test"
import { type App, appTests } from "../support/app.ts"

/*
 * What linkding's own tests of its API check (its files test_bookmarks_api, test_bundles_api, test_bookmark_assets_api,
 * test_tags_api and test_auth_api at version 1.46.2), case by case under their names. A sentence says why a case does not
 * hold here.
 */

const B = "/api/bookmarks/"
const SCOPES = ["read", "save", "change", "delete", "share"]

// biome-ignore lint/suspicious/noExplicitAny: cases look into whatever comes
type Body = any

/** One case's view of the API: its bookmarks have addresses of their own. */
const siteOf = (app: App, secret: string, name: string) => {
  const ask = async (method: string, path: string, body?: unknown, authorization = `Token ${secret}`) => {
    const answer = await app.request(method, path, body, authorization === "" ? {} : { authorization })
    const text = await answer.text()
    return { status: answer.status, body: (text === "" ? undefined : JSON.parse(text)) as Body }
  }
  const must = async (status: number, method: string, path: string, body?: unknown) => {
    const answer = await ask(method, path, body)
    expect([method, path, answer.status, answer.body]).toEqual([method, path, status, answer.body])
    return answer.body
  }
  let count = 0
  const address = (path: string | number) => `https://${name.replaceAll("_", "-")}.example/${path}`
  /** Those of the case's own bookmarks that a list has. */
  const mine = async (path: string) => {
    const { results } = await must(200, "GET", `${path}${path.includes("?") ? "&" : "?"}limit=10000`)
    return results.flatMap(({ title, url }: Body) => (url.startsWith(address("")) ? [title] : []))
  }
  const upload = (path: string, fields: Record<string, string | File>, authorization = `Token ${secret}`) => {
    const form = new FormData()
    for (const [field, value] of Object.entries(fields)) form.append(field, value)
    const request = new Request("http://localhost/", { method: "POST", body: form })
    return app.request("POST", path, request.body ?? undefined, {
      authorization,
      "content-type": request.headers.get("content-type") ?? ""
    })
  }
  const add = (fields: object = {}, query = ""): Promise<Body> =>
    must(201, "POST", `${B}${query}`, { url: address(count), title: `t${count++}`, ...fields })
  const get = (id: number) => must(200, "GET", `${B}${id}/`)
  const { settled } = app
  return { ask, must, mine, upload, add, get, address, name, secret, settled, request: app.request }
}
type Site = ReturnType<typeof siteOf>
type Case = string | ((site: Site) => Promise<unknown>)

const ONE_USER = "Linkbower has one user: there are no bookmarks, bundles, tags or assets of others."
const NO_RULES = "linkding's auto tagging is a setting of its profile; Linkbower has rules of its own."
const NO_FILES = "Linkbower keeps snapshots in HTML alone: an upload of another file is refused with 403."
const closed =
  (method: string, path: string): Case =>
  async ({ ask }) =>
    expect((await ask(method, path, method === "GET" ? undefined : {}, "")).status).toBe(401)

const three = async ({ add }: Site, more: object = {}) => {
  for (const title of ["a", "b", "c"]) await add({ title, ...more })
}
const snapshot = () => new File(["<p>a page</p>"], "snapshot.html", { type: "text/html" })
const withAsset = async ({ address, add, must, settled, upload }: Site) => {
  const { id } = await add()
  expect((await upload(`${B}singlefile/`, { url: address(0), file: snapshot() })).status).toBe(201)
  await settled()
  const { results } = await must(200, "GET", `${B}${id}/assets/`)
  return { id, asset: results[0] }
}
const full = {
  search: "words",
  any_tags: "x y",
  all_tags: "z",
  excluded_tags: "w",
  filter_unread: "yes",
  filter_shared: "no"
}
const bundle = ({ must, name }: Site, more: object = {}) =>
  must(201, "POST", "/api/bundles/", { name: `${name} ${crypto.randomUUID().slice(0, 8)}`, ...more })
const changed = (before: object, more: object) => ({ ...before, ...more, date_modified: expect.any(String) })

const cases: Readonly<Record<string, Case>> = {
  list_bookmarks: async (s) => {
    await three(s)
    expect((await s.mine(B)).sort()).toEqual(["a", "b", "c"])
  },
  list_bookmarks_with_more_details: async (s) => {
    const made = await s.add({ tag_names: ["tag-one", "tag-two"], notes: "n", description: "d" })
    const { results } = await s.must(200, "GET", `${B}?limit=10000`)
    expect(results.find(({ id }: Body) => id === made.id)).toEqual(await s.get(made.id))
    expect(made).toMatchObject({ tag_names: ["tag-one", "tag-two"], notes: "n", description: "d" })
  },
  list_bookmarks_returns_none_for_website_title_and_description: async (s) =>
    expect(await s.add()).toMatchObject({ website_title: null, website_description: null }),
  list_bookmarks_does_not_return_archived_bookmarks: async (s) => {
    await s.add({ title: "kept" })
    await s.add({ title: "away", is_archived: true })
    expect(await s.mine(B)).toEqual(["kept"])
  },
  list_bookmarks_should_filter_by_query: async (s) => {
    await s.add({ title: "quokka" })
    await s.add({ title: "other" })
    expect(await s.mine(`${B}?q=quokka`)).toEqual(["quokka"])
  },
  list_bookmarks_should_filter_by_bundle: async (s) => {
    await s.add({ title: "numbat" })
    await s.add({ title: "other" })
    expect(await s.mine(`${B}?bundle=${(await bundle(s, { search: "numbat" })).id}`)).toEqual(["numbat"])
  },
  list_bookmarks_filter_unread: async (s) => {
    await s.add({ title: "new", unread: true })
    await s.add({ title: "old" })
    expect((await s.mine(B)).sort()).toEqual(["new", "old"])
    expect(await s.mine(`${B}?unread=yes`)).toEqual(["new"])
    expect(await s.mine(`${B}?unread=no`)).toEqual(["old"])
  },
  list_bookmarks_filter_shared: async (s) => {
    await s.add({ title: "all", shared: true })
    await s.add({ title: "own" })
    expect((await s.mine(B)).sort()).toEqual(["all", "own"])
    expect(await s.mine(`${B}?shared=yes`)).toEqual(["all"])
    expect(await s.mine(`${B}?shared=no`)).toEqual(["own"])
  },
  list_bookmarks_should_respect_sort: async (s) => {
    await three(s)
    expect(await s.mine(`${B}?sort=title_desc`)).toEqual(["c", "b", "a"])
  },
  list_archived_bookmarks_does_not_return_unarchived_bookmarks: async (s) => {
    await s.add({ title: "kept" })
    await s.add({ title: "away", is_archived: true })
    expect(await s.mine(`${B}archived/`)).toEqual(["away"])
  },
  list_archived_bookmarks_with_more_details: async (s) => {
    const made = await s.add({ is_archived: true, tag_names: ["one"], notes: "n" })
    const { results } = await s.must(200, "GET", `${B}archived/?limit=10000`)
    expect(results.find(({ id }: Body) => id === made.id)).toEqual(await s.get(made.id))
  },
  list_archived_bookmarks_should_filter_by_query: async (s) => {
    await s.add({ title: "wombat", is_archived: true })
    await s.add({ title: "other", is_archived: true })
    expect(await s.mine(`${B}archived/?q=wombat`)).toEqual(["wombat"])
  },
  list_archived_bookmarks_should_filter_by_bundle: async (s) => {
    await s.add({ title: "bilby", is_archived: true })
    await s.add({ title: "other", is_archived: true })
    expect(await s.mine(`${B}archived/?bundle=${(await bundle(s, { search: "bilby" })).id}`)).toEqual([
      "bilby"
    ])
  },
  list_archived_bookmarks_should_respect_sort: async (s) => {
    await three(s, { is_archived: true })
    expect(await s.mine(`${B}archived/?sort=title_desc`)).toEqual(["c", "b", "a"])
  },
  list_shared_bookmarks: async (s) => {
    await s.add({ title: "all", shared: true })
    await s.add({ title: "own" })
    expect(await s.mine(`${B}shared/`)).toEqual(["all"])
  },
  list_shared_bookmarks_with_more_details: async (s) => {
    const made = await s.add({ shared: true, tag_names: ["one"], description: "d" })
    const { results } = await s.must(200, "GET", `${B}shared/?limit=10000`)
    expect(results.find(({ id }: Body) => id === made.id)).toEqual(await s.get(made.id))
  },
  list_only_publicly_shared_bookmarks_when_not_logged_in: async (s) => {
    await s.add({ title: "all", shared: true })
    await s.add({ title: "own" })
    const { body } = await s.ask("GET", `${B}shared/?limit=10000`, undefined, "")
    expect(body.results.map(({ title }: Body) => title)).toContain("all")
    expect(body.results.map(({ title }: Body) => title)).not.toContain("own")
  },
  list_shared_bookmarks_should_filter_by_query_and_user: async (s) => {
    await s.add({ title: "dunnart", shared: true })
    await s.add({ title: "other", shared: true })
    expect(await s.mine(`${B}shared/?q=dunnart`)).toEqual(["dunnart"])
  },
  list_shared_bookmarks_should_respect_sort: async (s) => {
    await three(s, { shared: true })
    expect(await s.mine(`${B}shared/?sort=title_desc`)).toEqual(["c", "b", "a"])
  },
  create_bookmark: async (s) => {
    const given = {
      title: "T",
      description: "D",
      notes: "N",
      is_archived: false,
      unread: false,
      shared: false
    }
    const made = await s.add({ ...given, tag_names: ["tag1", "tag2"] })
    expect(await s.get(made.id)).toMatchObject({ ...given, url: s.address(0), tag_names: ["tag1", "tag2"] })
  },
  create_bookmark_enhances_with_metadata_by_default: async (s) =>
    expect((await s.add({ title: "" })).title).not.toBe(""),
  create_bookmark_does_not_enhance_with_metadata_if_scraping_is_disabled:
    "Linkbower reads every page in the background; `disable_scraping` is accepted, and the answer does not wait for the page.",
  create_bookmark_creates_html_snapshot_by_default:
    "The service keeps the article of a page; snapshots come from the owner's browser.",
  create_bookmark_does_not_create_html_snapshot_if_disabled: async (s) => {
    const { id } = await s.add({}, "?disable_html_snapshot")
    expect((await s.must(200, "GET", `${B}${id}/assets/`)).results).toEqual([])
  },
  create_bookmark_with_same_url_updates_existing_bookmark: async (s) => {
    const first = await s.add({ tag_names: ["old"] })
    const given = { title: "Updated", description: "D", notes: "N", unread: true, shared: true }
    const again = await s.add({ url: s.address(0), ...given, is_archived: true, tag_names: ["tag1", "tag2"] })
    expect(again).toMatchObject({ ...given, id: first.id, is_archived: false, tag_names: ["tag1", "tag2"] })
  },
  create_bookmark_replaces_whitespace_in_tag_names: async (s) =>
    expect((await s.add({ tag_names: ["tag 1", "tag 2"] })).tag_names).toEqual(["tag-1", "tag-2"]),
  create_bookmark_minimal_payload:
    "A link without a title gets that of its page or its host, never an empty one; all else holds.",
  create_archived_bookmark: async (s) => {
    const made = await s.add({ description: "D", is_archived: true, tag_names: ["tag1", "tag2"] })
    expect(made).toMatchObject({ is_archived: true, description: "D", tag_names: ["tag1", "tag2"] })
  },
  create_bookmark_is_not_archived_by_default: async (s) => expect((await s.add()).is_archived).toBe(false),
  create_unread_bookmark: async (s) => expect((await s.add({ unread: true })).unread).toBe(true),
  create_bookmark_is_not_unread_by_default: async (s) => expect((await s.add()).unread).toBe(false),
  create_shared_bookmark: async (s) => expect((await s.add({ shared: true })).shared).toBe(true),
  create_bookmark_is_not_shared_by_default: async (s) => expect((await s.add()).shared).toBe(false),
  create_bookmark_should_add_tags_from_auto_tagging: NO_RULES,
  create_bookmark_should_set_default_dates: async (s) => {
    const { date_added, date_modified } = await s.add()
    for (const date of [date_added, date_modified])
      expect(Math.abs(Date.parse(date) - Date.now())).toBeLessThan(3_600_000)
  },
  create_bookmark_with_date_added: async (s) =>
    expect((await s.add({ date_added: "2026-01-02T03:04:05.678Z" })).date_added).toBe(
      "2026-01-02T03:04:05.678000Z"
    ),
  create_bookmark_with_date_modified: "The date of the last change is Linkbower's own.",
  get_bookmark: async (s) => {
    const { id } = await s.add()
    expect(await s.get(id)).toMatchObject({ id, url: s.address(0), title: "t0" })
  },
  get_bookmark_with_more_details: async (s) => {
    const { id } = await s.add({ tag_names: ["one"] })
    expect(await s.get(id)).toMatchObject({
      tag_names: ["one"],
      web_archive_snapshot_url: expect.any(String)
    })
  },
  get_bookmark_returns_fallback_webarchive_url: async (s) => {
    const { id } = await s.add({ date_added: "2023-08-11T21:45:11.678Z" })
    expect((await s.get(id)).web_archive_snapshot_url).toBe(
      `https://web.archive.org/web/20230811214511/${s.address(0)}`
    )
  },
  update_bookmark: async (s) => {
    const { id } = await s.add()
    await s.must(200, "PUT", `${B}${id}/`, { url: s.address("updated") })
    expect((await s.get(id)).url).toBe(s.address("updated"))
  },
  update_bookmark_ignores_readonly_fields: async (s) => {
    const { id } = await s.add()
    const fixed = { web_archive_snapshot_url: "test", website_title: "test", website_description: "test" }
    const now = await s.must(200, "PUT", `${B}${id}/`, { url: s.address("updated"), ...fixed })
    for (const field of Object.keys(fixed)) expect(now[field]).not.toBe("test")
  },
  update_bookmark_fails_without_required_fields: async (s) =>
    s.must(400, "PUT", `${B}${(await s.add()).id}/`, { title: "x" }),
  update_bookmark_with_minimal_payload_does_not_modify_bookmark: async (s) => {
    const made = await s.add({ is_archived: true, unread: true, shared: true, tag_names: ["one"] })
    const now = await s.must(200, "PUT", `${B}${made.id}/`, { url: s.address("other") })
    for (const field of ["title", "description", "notes", "is_archived", "unread", "shared", "tag_names"])
      expect([field, now[field]]).toEqual([field, made[field]])
  },
  update_bookmark_unread_flag: async (s) => {
    const { id } = await s.add()
    expect(await s.must(200, "PUT", `${B}${id}/`, { url: s.address(0), unread: true })).toMatchObject({
      unread: true
    })
  },
  update_bookmark_shared_flag: async (s) => {
    const { id } = await s.add()
    expect(await s.must(200, "PUT", `${B}${id}/`, { url: s.address(0), shared: true })).toMatchObject({
      shared: true
    })
  },
  update_bookmark_adds_tags_from_auto_tagging: NO_RULES,
  update_bookmark_should_prevent_duplicate_urls: async (s) => {
    const [edited] = [await s.add(), await s.add()]
    await s.must(200, "PUT", `${B}${edited.id}/`, { url: s.address(0) })
    await s.must(400, "PUT", `${B}${edited.id}/`, { url: s.address(1) })
  },
  patch_bookmark: async (s) => {
    const { id } = await s.add()
    for (const part of [
      { url: s.address("patched") },
      { title: "Updated title" },
      { description: "Updated description" },
      { notes: "Updated notes" },
      { unread: true },
      { unread: false },
      { shared: true },
      { shared: false },
      { tag_names: ["updated-tag-1", "updated-tag-2"] }
    ])
      expect(await s.must(200, "PATCH", `${B}${id}/`, part)).toMatchObject(part)
  },
  patch_ignores_readonly_fields: async (s) => {
    const made = await s.add()
    const fixed = { web_archive_snapshot_url: "test", website_title: "test", website_description: "test" }
    const now = await s.must(200, "PATCH", `${B}${made.id}/`, fixed)
    for (const field of Object.keys(fixed)) expect(now[field]).toEqual(made[field])
  },
  patch_with_empty_payload_does_not_modify_bookmark: async (s) => {
    const made = await s.add({ is_archived: true, unread: true, shared: true, tag_names: ["one"] })
    expect(await s.must(200, "PATCH", `${B}${made.id}/`, {})).toEqual(changed(made, {}))
  },
  patch_bookmark_adds_tags_from_auto_tagging: NO_RULES,
  delete_bookmark: async (s) => {
    const { id } = await s.add()
    await s.must(204, "DELETE", `${B}${id}/`)
    await s.must(404, "GET", `${B}${id}/`)
  },
  archive: async (s) => {
    const { id } = await s.add()
    await s.must(204, "POST", `${B}${id}/archive/`)
    expect((await s.get(id)).is_archived).toBe(true)
  },
  unarchive: async (s) => {
    const { id } = await s.add({ is_archived: true })
    await s.must(204, "POST", `${B}${id}/unarchive/`)
    expect((await s.get(id)).is_archived).toBe(false)
  },
  check_returns_no_bookmark_if_url_is_not_bookmarked: async (s) =>
    expect(await s.must(200, "GET", `${B}check/?url=${s.address("none")}`)).toMatchObject({ bookmark: null }),
  check_returns_scraped_metadata_if_url_is_not_bookmarked:
    "Clients check every page that is opened: Linkbower does not read a page that is not saved. `metadata` has its address.",
  check_returns_bookmark_if_url_is_bookmarked: async (s) => {
    const made = await s.add({ description: "D" })
    const { bookmark } = await s.must(200, "GET", `${B}check/?url=${s.address(0)}`)
    expect(bookmark).toMatchObject({ id: made.id, url: made.url, title: "t0", description: "D" })
  },
  check_returns_scraped_metadata_if_url_is_bookmarked: async (s) => {
    await s.add()
    expect((await s.must(200, "GET", `${B}check/?url=${s.address(0)}`)).metadata).toMatchObject({
      url: s.address(0)
    })
  },
  check_returns_bookmark_using_normalized_url:
    "Linkbower keeps the order of an address's parameters, which some sites read; case, slashes and tracking are normalized.",
  check_returns_no_auto_tags_if_none_configured: async (s) =>
    expect((await s.must(200, "GET", `${B}check/?url=${s.address(0)}`)).auto_tags).toEqual([]),
  check_returns_matching_auto_tags: NO_RULES,
  check_ignore_cache: async (s) => s.must(200, "GET", `${B}check/?url=${s.address(0)}&ignore_cache=true`),
  can_only_access_own_bookmarks: ONE_USER,
  user_profile: async (s) =>
    expect(await s.must(200, "GET", "/api/user/profile/")).toMatchObject({
      theme: expect.any(String),
      enable_sharing: expect.any(Boolean),
      search_preferences: expect.any(Object),
      version: expect.any(String)
    }),
  singlefile_upload: async (s) => {
    await s.add()
    const answer = await s.upload(`${B}singlefile/`, { url: s.address(0), file: snapshot() })
    expect([answer.status, await answer.json()]).toEqual([
      201,
      { message: "Snapshot uploaded successfully." }
    ])
  },
  singlefile_creates_bookmark_if_not_exists: async (s) => {
    expect((await s.upload(`${B}singlefile/`, { url: s.address("new"), file: snapshot() })).status).toBe(201)
    await s.settled()
    expect(await s.must(200, "GET", `${B}check/?url=${s.address("new")}`)).toMatchObject({
      bookmark: { url: s.address("new") }
    })
  },
  singlefile_updates_own_bookmark_if_exists: async (s) => {
    const { id } = await withAsset(s)
    expect(await s.must(200, "GET", `${B}check/?url=${s.address(0)}`)).toMatchObject({ bookmark: { id } })
  },
  singlefile_creates_bookmark_without_creating_snapshot: async (s) => {
    const { id } = await withAsset(s)
    expect((await s.must(200, "GET", `${B}${id}/assets/`)).count).toBe(1)
  },
  singlefile_upload_missing_parameters: async (s) => {
    for (const fields of [{ file: snapshot() }, { url: s.address(0) }] as ReadonlyArray<
      Record<string, string | File>
    >) {
      const answer = await s.upload(`${B}singlefile/`, fields)
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { error: "Both 'url' and 'file' parameters are required." }
      ])
    }
  },
  singlefile_upload_disabled: "Linkbower has no setting that forbids uploads; a token's scopes do.",

  bundle_list: async (s) => {
    const made = [await bundle(s), await bundle(s), await bundle(s)]
    const { results } = await s.must(200, "GET", "/api/bundles/?limit=1000")
    expect(results).toEqual(expect.arrayContaining(made))
  },
  bundle_list_only_returns_own_bundles: ONE_USER,
  bundle_list_requires_authentication: closed("GET", "/api/bundles/"),
  bundle_detail: async (s) => {
    const made = await bundle(s, full)
    expect(await s.must(200, "GET", `/api/bundles/${made.id}/`)).toEqual(made)
  },
  bundle_detail_only_returns_own_bundles: ONE_USER,
  bundle_detail_requires_authentication: closed("GET", "/api/bundles/1/"),
  create_bundle: async (s) => expect(await bundle(s, full)).toMatchObject(full),
  create_bundle_auto_increments_order: async (s) => {
    const [a, b] = [await bundle(s), await bundle(s)]
    expect(b.order).toBe(a.order + 1)
  },
  create_bundle_with_custom_order: async (s) => {
    const made = [await bundle(s), await bundle(s), await bundle(s)]
    expect(await bundle(s, { order: made[1]?.order })).toMatchObject({ order: made[1]?.order })
  },
  create_bundle_requires_name: async (s) => s.must(400, "POST", "/api/bundles/", { search: "x" }),
  create_bundle_fields_can_be_empty: async (s) => {
    const none = { search: "", any_tags: "", all_tags: "", excluded_tags: "" }
    expect(await bundle(s, none)).toMatchObject(none)
  },
  create_bundle_requires_authentication: closed("POST", "/api/bundles/"),
  update_bundle_put: async (s) => {
    const made = await bundle(s, { search: "before" })
    const now = await s.must(200, "PUT", `/api/bundles/${made.id}/`, { name: made.name, ...full })
    expect(now).toMatchObject({ id: made.id, ...full })
  },
  update_bundle_patch: async (s) => {
    const made = await bundle(s, { search: "before", any_tags: "original-tag" })
    const now = await s.must(200, "PATCH", `/api/bundles/${made.id}/`, { search: "after" })
    expect(now).toMatchObject({ search: "after", any_tags: "original-tag", name: made.name })
  },
  update_bundle_only_allows_own_bundles: ONE_USER,
  update_bundle_requires_authentication: closed("PUT", "/api/bundles/1/"),
  delete_bundle: async (s) => {
    const { id } = await bundle(s)
    await s.must(204, "DELETE", `/api/bundles/${id}/`)
    await s.must(404, "GET", `/api/bundles/${id}/`)
  },
  delete_bundle_updates_order: async (s) => {
    const made = [await bundle(s), await bundle(s), await bundle(s)]
    await s.must(204, "DELETE", `/api/bundles/${made[1]?.id}/`)
    const { results } = await s.must(200, "GET", "/api/bundles/?limit=1000")
    expect(results.map(({ order }: Body) => order)).toEqual(results.map((_: Body, at: number) => at))
  },
  delete_bundle_only_allows_own_bundles: ONE_USER,
  delete_bundle_requires_authentication: closed("DELETE", "/api/bundles/1/"),
  bundles_ordered_by_order_field: async (s) => {
    await bundle(s)
    const { results } = await s.must(200, "GET", "/api/bundles/?limit=1000")
    const orders = results.map(({ order }: Body) => order)
    expect(orders).toEqual(orders.toSorted((a: number, b: number) => a - b))
  },

  asset_list: async (s) => {
    const { id, asset } = await withAsset(s)
    expect(await s.must(200, "GET", `${B}${id}/assets/`)).toMatchObject({ count: 1, results: [asset] })
  },
  asset_list_only_returns_assets_for_own_bookmarks: ONE_USER,
  asset_list_requires_authentication: closed("GET", `${B}1/assets/`),
  asset_detail: async (s) => {
    const { id, asset } = await withAsset(s)
    expect(await s.must(200, "GET", `${B}${id}/assets/${asset.id}/`)).toEqual(asset)
  },
  asset_detail_only_returns_asset_for_own_bookmarks: ONE_USER,
  asset_detail_requires_authentication: closed("GET", `${B}1/assets/1/`),
  asset_download_with_snapshot_asset: async (s) => {
    const { id, asset } = await withAsset(s)
    const answer = await s.request("GET", `${B}${id}/assets/${asset.id}/download/`, undefined, {
      authorization: `Token ${s.secret}`
    })
    expect(answer.headers.get("content-type")).toMatch(/^text\/html/)
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename=.*\.html"$/)
    expect(await answer.text()).toContain("<p>a page</p>")
  },
  asset_download_with_uploaded_asset: NO_FILES,
  asset_download_with_missing_file: async (s) => {
    const { id } = await s.add()
    await s.must(404, "GET", `${B}${id}/assets/99/download/`)
  },
  asset_download_only_returns_asset_for_own_bookmarks: ONE_USER,
  asset_download_requires_authentication: closed("GET", `${B}1/assets/1/download/`),
  upload_asset: NO_FILES,
  upload_asset_with_missing_file: NO_FILES,
  upload_asset_only_works_for_own_bookmarks: ONE_USER,
  upload_asset_requires_authentication: closed("POST", `${B}1/assets/upload/`),
  upload_asset_disabled: async (s) => {
    const { id } = await s.add()
    expect((await s.upload(`${B}${id}/assets/upload/`, { file: snapshot() })).status).toBe(403)
  },
  delete_asset: "A snapshot is deleted with its link, not by itself.",
  delete_asset_only_works_for_own_bookmarks: ONE_USER,
  delete_asset_requires_authentication: closed("DELETE", `${B}1/assets/1/`),

  delete_tag: async (s) => {
    await s.add({ tag_names: ["gone-with-it"] })
    const { results } = await s.must(200, "GET", "/api/tags/?limit=5000")
    const { id } = results.find(({ name }: Body) => name === "gone-with-it")
    await s.must(204, "DELETE", `/api/tags/${id}/`)
    await s.must(404, "GET", `/api/tags/${id}/`)
  },
  delete_tag_keeps_tagged_bookmarks: async (s) => {
    const made = await s.add({ tag_names: ["gone-from-it"] })
    const { results } = await s.must(200, "GET", "/api/tags/?limit=5000")
    const { id } = results.find(({ name }: Body) => name === "gone-from-it")
    await s.must(204, "DELETE", `/api/tags/${id}/`)
    expect((await s.get(made.id)).tag_names).toEqual([])
  },
  can_not_delete_tag_of_other_user: ONE_USER,

  auth_with_token_keyword: async (s) => s.must(200, "GET", "/api/user/profile/"),
  auth_with_bearer_keyword: async ({ ask, secret }) =>
    expect((await ask("GET", "/api/user/profile/", undefined, `Bearer ${secret}`)).status).toBe(200),
  auth_with_unknown_keyword: async ({ ask, secret }) =>
    expect((await ask("GET", "/api/user/profile/", undefined, `Key ${secret}`)).status).toBe(401)
}

/** How many cases hold; the others say why not. */
const HOLD = Object.values(cases).filter((one) => typeof one !== "string").length

appTests()(
  `${HOLD} of linkding's ${Object.keys(cases).length} cases hold`,
  async (app) => {
    expect(Object.keys(cases)).toHaveLength(117)
    const failed: Array<string> = []
    let secret = ""
    for (const [at, [name, work]] of Object.entries(cases).entries()) {
      // A token has a rate.
      if (at % 20 === 0)
        ({ secret } = await (
          await app.owner("POST", "/api/tokens", { name: crypto.randomUUID(), scopes: SCOPES })
        ).json())
      if (typeof work === "string") continue
      await work(siteOf(app, secret, name)).catch((error: unknown) =>
        failed.push(`${name}: ${Bun.stripANSI(String(error)).slice(0, 600)}`)
      )
    }
    expect(failed.join("\n\n")).toBe("")
  },
  {},
  180_000
)
