import type { Link } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { Notice } from "../components/Notice.tsx"
import { Stages } from "../components/Stages.tsx"
import { externalLink } from "../externalLink.ts"
import { refreshingLinks } from "../state/jobs.ts"
import { restoreLinks } from "../state/linkChanges.ts"
import { trash } from "../state/list.ts"
import { hrefOf } from "../state/route.ts"
import { refreshLink } from "../state/startJobs.ts"

interface NoLinkProps {
  readonly id: number
  readonly state: "loading" | "none" | "failed"
}

/** Shown while a link is asked for, or where there is none. */
export const NoLink = ({ id, state }: NoLinkProps) =>
  state === "loading" ? (
    <p class="notice" role="status">
      <span class="spinner" />
      <span class="visually-hidden">Loading…</span>
    </p>
  ) : (
    <Notice
      title={state === "none" ? `Link #${id} is not in the library` : "The link could not be loaded"}
      actions={
        <>
          {state === "none" ? (
            <a class="button" href={hrefOf(trash)}>
              Show the trash
            </a>
          ) : null}
          <a class="button" href="/dashboard">
            All links
          </a>
        </>
      }
    >
      {state === "none"
        ? "It may have been deleted. Deleted links stay in the trash for 30 days."
        : "The library cannot be reached. The page appears as soon as it can."}
    </Notice>
  )

interface Props {
  readonly link: Link
}

const Original = ({ link }: Props) => (
  <a class="button" {...externalLink(link.url)}>
    Open the original
  </a>
)

const InTrash = ({ link }: Props) => (
  <Notice
    title="This link is in the trash"
    actions={
      <>
        <Button kind="primary" needsService onClick={() => void restoreLinks([link.id])}>
          Restore
        </Button>
        <Original link={link} />
      </>
    }
  >
    Restore it to read its page.
  </Notice>
)

/** Why no page is kept, as far as the link tells. */
const reasonOf = ({ stages }: Link) => {
  const page = stages.find(({ stage }) => stage === "page")
  switch (page?.state) {
    case "failed":
      return "The page could not be read."
    case "waiting":
      return "The page has not been read yet."
    default:
      return "Either the page has no article, it was saved before copies were kept, or KEEP_PAGES is not “article”."
  }
}

/** What is shown where no page is kept: why, and what can be done. The page appears once it is kept. */
export const Absent = ({ link }: Props) => {
  if (link.deletedAt !== undefined) return <InTrash link={link} />
  const isBusy = link.enrichment === "pending" || refreshingLinks.value.has(link.id)
  return (
    <div class="notice" aria-live="polite">
      {isBusy ? (
        <>
          <span class="spinner" />
          <h2>Reading the page…</h2>
          <p>It appears here as soon as it has been read.</p>
        </>
      ) : (
        <>
          <h2>No copy of this page is kept</h2>
          <p>{reasonOf(link)}</p>
        </>
      )}
      <p class="row">
        {isBusy ? null : (
          <Button kind="primary" needsService onClick={() => void refreshLink(link.id)}>
            Read again
          </Button>
        )}
        <Original link={link} />
      </p>
      {isBusy ? null : <Stages link={link} />}
    </div>
  )
}
