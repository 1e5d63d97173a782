/** Marks the current section in the page's table of contents while scrolling. */
export const startReading = (): void => {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>(".contents a")].map((link) => [
      decodeURIComponent(link.hash.slice(1)),
      link
    ])
  )
  if (links.size === 0) return
  const headings = [...links.keys()].flatMap((id) => document.getElementById(id) ?? [])
  const mark = () => {
    const read = headings.findLast((heading) => heading.getBoundingClientRect().top < innerHeight / 4)
    for (const [id, link] of links)
      if (id === (read ?? headings[0])?.id) link.setAttribute("aria-current", "true")
      else link.removeAttribute("aria-current")
  }
  let isScheduled = false
  const markSoon = () => {
    if (isScheduled) return
    isScheduled = true
    requestAnimationFrame(() => {
      isScheduled = false
      mark()
    })
  }
  addEventListener("scroll", markSoon, { passive: true })
  mark()
}
