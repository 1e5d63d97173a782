import { useEffect, useRef, useState } from "preact/hooks"
import { count } from "../../../src/shared/Format.ts"
import { ageOf } from "../age.ts"
import { api, type DuplicateGroup as Group, type Job } from "../api.ts"
import { groupsOf } from "../jobText.ts"
import { dialog } from "../state/dialogs.ts"
import { linkOf, takeLinks } from "../state/entities.ts"
import { jobs, loadJobs, start } from "../state/jobs.ts"
import { meta } from "../state/meta.ts"
import { areApart } from "../state/notDuplicates.ts"
import { tellFailure } from "../state/toasts.ts"
import { DuplicateGroup } from "./DuplicateGroup.tsx"
import { JobProgress } from "./JobProgress.tsx"

/** How many groups are shown before somebody asks for more. */
const SHOWN = 30

const lookForThem = () => void start({ action: "dupes" })

const groupKey = ({ links }: Group) => links.map(({ id }) => id).join()

/** The groups that still are some, each with its links as they are now. */
const current = (groups: ReadonlyArray<Group>) => {
  // A link that is gone leaves no signal behind: both of these change when one has gone.
  dialog.value
  meta.value
  return groups
    .map((group) => ({ group, links: group.links.flatMap(({ id }) => linkOf(id)?.value ?? []) }))
    .filter(({ links }) => links.length > 1 && !areApart(links.map(({ id }) => id)))
}

/** After a group has left with the focus in it, the one in its place has it. */
const useFocusOnNext = (keys: ReadonlyArray<string>) => {
  const page = useRef<HTMLElement>(null)
  const before = useRef(keys)
  const all = keys.join(" ")
  useEffect(() => {
    const at = before.current.findIndex((key) => !keys.includes(key))
    before.current = keys
    const { activeElement } = document
    if (at === -1 || (activeElement !== document.body && activeElement?.id !== "main")) return
    const groups = page.current?.querySelectorAll<HTMLElement>(".duplicate-group") ?? []
    const next = groups[Math.min(at, groups.length - 1)] ?? page.current
    next?.focus()
  }, [all])
  return page
}

const Groups = ({ groups, last }: { readonly groups: ReadonlyArray<Group>; readonly last: Job }) => {
  const [most, setMost] = useState(SHOWN)
  const all = current(groups)
  const page = useFocusOnNext(all.map(({ group }) => groupKey(group)))
  const when = last.endedAt ?? last.startedAt
  return (
    <article ref={page} class="duplicates" tabIndex={-1} aria-label="Duplicates">
      <header class="duplicates-header">
        <h2>{all.length === 0 ? "No duplicates found" : `${count(all.length, "group")} of duplicates`}</h2>
        <p class="hint">Looked for {ageOf(when)}.</p>
        <button type="button" class="button" onClick={lookForThem}>
          Look again
        </button>
      </header>
      {all.slice(0, most).map(({ group, links }) => (
        <DuplicateGroup key={groupKey(group)} group={group} links={links} />
      ))}
      {all.length > most ? (
        <button type="button" class="button" onClick={() => setMost(most + SHOWN)}>
          Show more
        </button>
      ) : null}
    </article>
  )
}

const NotLookedYet = ({ failed }: { readonly failed: Job | undefined }) => (
  <div class="notice">
    <h2>Duplicate links</h2>
    <p>Finds links that lead to the same page or have nearly the same content. This changes nothing.</p>
    {failed?.error ? <p class="problem">The last look failed: {failed.error}</p> : null}
    <p>
      <button type="button" class="button" data-kind="primary" onClick={lookForThem}>
        Find duplicates
      </button>
    </p>
  </div>
)

/** What was found by the last look for duplicates, to be merged or deleted. */
export const DuplicatesPage = () => {
  const [ready, setReady] = useState(false)
  const [found, setFound] = useState<{ readonly job: Job; readonly groups: ReadonlyArray<Group> } | null>(
    null
  )
  const [newest] = jobs.value.filter(({ action }) => action === "dupes")
  const last = jobs.value.find(({ action, state }) => action === "dupes" && state === "done")
  useEffect(() => void loadJobs().then(() => setReady(true)), [])
  useEffect(() => {
    if (last === undefined) return
    api.job(last.id).then(
      ({ job }) => {
        const groups = groupsOf(job)
        takeLinks(groups.flatMap(({ links }) => links))
        setFound({ job, groups })
      },
      (error: unknown) => tellFailure("The duplicates could not be loaded.", error)
    )
  }, [last?.id])
  if (!ready) return null
  return (
    <>
      {newest?.state === "running" ? (
        <div class="job-page" role="status">
          <p>Looking for duplicates…</p>
          <JobProgress job={newest} />
        </div>
      ) : null}
      {found !== null ? (
        <Groups groups={found.groups} last={found.job} />
      ) : last === undefined && newest?.state !== "running" ? (
        <NotLookedYet failed={newest} />
      ) : null}
    </>
  )
}
