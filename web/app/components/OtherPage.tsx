import { route } from "../state/route.ts"
import { AddPage } from "./AddPage.tsx"
import { CollectionsPage } from "./CollectionsPage.tsx"
import { DuplicatesPage } from "./DuplicatesPage.tsx"
import { HighlightsPage } from "./HighlightsPage.tsx"
import { JobPage } from "./JobPage.tsx"
import { LabelsPage } from "./LabelsPage.tsx"
import { SearchesPage } from "./SearchesPage.tsx"
import { SettingsPage } from "./SettingsPage.tsx"
import { StatisticsPage } from "./StatisticsPage.tsx"

/** The page of the address, where it is not the list. */
export const OtherPage = () => {
  const now = route.value
  switch (now.page) {
    case "library":
    case "read":
      return null
    case "duplicates":
      return <DuplicatesPage />
    case "settings":
      return <SettingsPage />
    case "statistics":
      return <StatisticsPage />
    case "tags":
      return <LabelsPage key="tags" kind="tag" />
    case "categories":
      return <LabelsPage key="categories" kind="category" />
    case "collections":
      return <CollectionsPage />
    case "searches":
      return <SearchesPage />
    case "highlights":
      return <HighlightsPage />
    case "job":
      return <JobPage id={now.id} />
    case "add":
      return <AddPage params={now.params} />
    case "missing":
      return (
        <div class="notice">
          <h2>There is no such page</h2>
          <p>Check the address.</p>
          <p>
            <a class="button" href="/dashboard">
              Open the library
            </a>
          </p>
        </div>
      )
  }
}
