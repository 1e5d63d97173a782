import { expect, test } from "bun:test"
import { isAppPage } from "../../src/shared/AppPages.ts"

test("the app's pages are told from other addresses", () => {
  const pages =
    "/dashboard /dashboard/ /dashboard/tags /dashboard/add/ /dashboard/jobs/12 /dashboard/read/3".split(" ")
  const others =
    "/dashboard/nope /dashboards /dashboard/jobs /dashboard/jobs/0 /dashboard/jobs/x /dashboard/read/01 /dashboard/tags/a /dashboard/api".split(
      " "
    )
  expect(pages.filter((path) => !isAppPage(path))).toEqual([])
  expect(others.filter(isAppPage)).toEqual([])
})
