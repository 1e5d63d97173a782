import { useState } from "preact/hooks"
import { dayText } from "../../../src/shared/Format.ts"
import { ApiError, api, type Link } from "../api.ts"
import { externalLink } from "../externalLink.ts"
import { openDetail } from "../state/detail.ts"
import { storeLinks } from "../state/entities.ts"
import { editLink } from "../state/linkChanges.ts"
import { checkingLinks, checkLink } from "../state/startJobs.ts"
import { reasonOf, tellFailure } from "../state/toasts.ts"
import { Button } from "./Button.tsx"
import { Icon } from "./Icon.tsx"
import { Age, Day } from "./Times.tsx"

const titles = {
  broken: "The page is gone",
  moved: "The page has moved",
  changed: "Another page is in its place"
} as const

/** Offers the new address of a page that has moved. */
const NewAddress = ({ id, to }: { readonly id: number; readonly to: string }) => {
  const [problem, setProblem] = useState<{ readonly text: string; readonly other?: number | undefined }>()
  const take = async () => {
    const refused = await editLink(id, { url: to })
    if (refused !== undefined)
      setProblem({
        text: reasonOf(refused),
        other: refused instanceof ApiError && refused.code === "url_taken" ? refused.link : undefined
      })
  }
  const keep = async () => {
    try {
      storeLinks([(await api.keepAddress(id)).link])
    } catch (error) {
      tellFailure("Not kept.", error)
    }
  }
  const other = problem?.other
  return (
    <>
      <p class="prewrap">
        <a {...externalLink(to)}>{to}</a>
      </p>
      {problem === undefined ? null : (
        <p role="alert">
          {problem.text}{" "}
          {other === undefined ? null : (
            <Button class="link-button" onClick={() => openDetail(other)}>
              Show the other link
            </Button>
          )}
        </p>
      )}
      <div class="row">
        <Button needsService onClick={() => void take()}>
          Use the new address
        </Button>
        <Button needsService onClick={() => void keep()}>
          Keep the old one
        </Button>
      </div>
    </>
  )
}

/** Says that the page behind a link is gone, has moved or is another one, and what there is in its place. */
export const PageState = ({ link: { check, id, kept } }: { readonly link: Link }) => {
  const { archived, lookedAt, reason, since, state, to } = check
  if (state === "ok" || state === "unknown") return null
  const busy = checkingLinks.value.has(id)
  return (
    <section class="page-state" data-state={state} aria-label={titles[state]}>
      <h3>
        <Icon name={state === "moved" ? "external" : "link"} />
        <span>{titles[state]}</span>
      </h3>
      {reason === null ? null : <p>{reason}.</p>}
      {to === null ? null : <NewAddress key={to} id={id} to={to} />}
      {state === "moved" || (!kept && archived === null) ? null : (
        <div class="row">
          {kept ? (
            <a class="button" href={`/dashboard/read/${id}`}>
              <Icon name="read" />
              Read the kept copy
            </a>
          ) : null}
          {archived === null ? null : (
            <a class="button" {...externalLink(archived.url)}>
              <Icon name="clock" />
              Wayback Machine, {dayText(archived.at)}
            </a>
          )}
        </div>
      )}
      <p class="hint">
        {since === null ? null : (
          <>
            Since <Day of={since} />.{" "}
          </>
        )}
        {lookedAt === null ? null : (
          <>
            Looked at <Age of={lookedAt} />.{" "}
          </>
        )}
        <Button class="link-button" busy={busy} needsService onClick={() => void checkLink(id)}>
          {busy ? "Looking…" : "Look again"}
        </Button>
      </p>
    </section>
  )
}
