import type { Job, Link } from "../../../web/app/api.ts"
import { until } from "../../support/service.ts"
import type { StartedLibrary } from "./library.ts"

/** What the owner asks of a library beside the page, to see what came of what was done in it. */
export const makeOwner = ({ client }: StartedLibrary) => {
  const links = async (query = "limit=1000"): Promise<ReadonlyArray<Link>> => {
    const page: { readonly links: ReadonlyArray<Link> } = await (
      await client.owner("GET", `/api/links?${query}`)
    ).json()
    return page.links
  }
  const job = async (id: number) => {
    const answer: { readonly job: Job } = await (await client.owner("GET", `/api/jobs/${id}`)).json()
    return answer.job
  }
  /** Waits until the job has ended. */
  const ended = (id: number) =>
    until(async () => {
      const now = await job(id)
      return now.state === "running" ? undefined : now
    }, 30)
  return {
    links,
    job,
    ended,
    /** Starts a job and waits until it has ended. */
    act: async (action: unknown) => {
      const answer: { readonly job: Job } = await (await client.owner("POST", "/api/action", action)).json()
      return ended(answer.job.id)
    },
    /** Saves pages, one after the other, and waits until they have been read. */
    capture: async (...captures: ReadonlyArray<{ readonly url: string; readonly note?: string }>) => {
      for (const capture of captures) await client.capture(capture)
      await until(async () =>
        (await links(`limit=${captures.length}`)).every(({ enrichment }) => enrichment === "complete")
      )
    }
  }
}
