import { useEffect } from "preact/hooks"
import { linkOf } from "../state/entities.ts"
import { lazyParts, loadLazyParts, type PageName, pageOf, reader } from "../state/lazy.ts"
import { isNarrowed, type Route, route, shownLink } from "../state/route.ts"
import { baseOf, isNarrowedFurther, pages, splitQuery } from "../views.ts"
import { BottomBar } from "./BottomBar.tsx"
import { Header } from "./Header.tsx"
import { Lazily, lately } from "./Lazily.tsx"
import { Library } from "./Library.tsx"
import { Outage, SignedOut } from "./Outage.tsx"
import { Sidebar } from "./Sidebar.tsx"
import { Toasts } from "./Toasts.tsx"

/** Returns the title of a page; empty for the whole library. */
const titleOf = (route: Route): string => {
  switch (route.page) {
    case "library": {
      const { name } = baseOf(route.filters)
      const words = splitQuery(route.filters.q).rest.trim()
      if (!isNarrowed(route.filters)) return ""
      return !isNarrowedFurther(route.filters) || words === "" ? name : `“${words}”, ${name}`
    }
    case "missing":
      return "No such page"
    case "job":
      return `Job ${route.id}`
    case "read":
      return linkOf(route.id)?.value.title ?? "Read"
    default:
      return pages[route.page].name
  }
}

/** A page other than the list, loaded on demand. */
const OtherPage = ({ name }: { readonly name: PageName }) => {
  const { load, parts } = pageOf(name)
  const Page = parts.value
  useEffect(() => void load(), [load])
  return Page === null || lazyParts.value === null ? null : <Page />
}

const Main = ({ page }: Pick<Route, "page">) => {
  if (page === "library" || page === "read") return <Library />
  return page === "missing" ? <Lazily part="Missing" /> : <OtherPage key={page} name={page} />
}

/** The page that shows a kept page; it has the screen for itself. */
const Reader = lately(reader, (parts) => parts.Reader)

/** The details of a link, beside the list or over it. */
const Detail = () => {
  const id = shownLink.value
  useEffect(() => {
    if (id !== undefined) void loadLazyParts()
  }, [id])
  const parts = lazyParts.value
  return id === undefined || parts === null ? null : <parts.DetailPane id={id} />
}

const Overlays = () => {
  const parts = lazyParts.value
  return parts === null ? null : <parts.Overlays />
}

/** The list, or another page among header and sidebar. */
const Dashboard = () => (
  <>
    <a class="skip" href="#main">
      Skip to the links
    </a>
    <Header />
    <Outage />
    <SignedOut />
    <div class="columns">
      <Sidebar />
      <main id="main" class="main" tabIndex={-1}>
        <Main page={route.value.page} />
      </main>
      <Detail />
    </div>
    <BottomBar />
  </>
)

export const App = () => {
  const now = route.value
  const title = titleOf(now)
  useEffect(() => {
    document.title = title === "" ? "Linkbower" : `${title} · Linkbower`
  }, [title])
  return (
    <>
      {now.page === "read" ? <Reader key={now.id} id={now.id} version={now.version} /> : <Dashboard />}
      <Overlays />
      <Toasts />
    </>
  )
}
