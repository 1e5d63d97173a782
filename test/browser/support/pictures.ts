import { encodePng } from "../../../web/app/icons/png.ts"

const WIDTH = 480
const HEIGHT = 252

/** A number below `limit` that depends on the name and the `use`, the same in every run. */
const numberOf = (name: string, limit: number, use = 0) => Number(Bun.hash(name, use) % BigInt(limit))

const channels = (hue: number, lightness: number): readonly [number, number, number] => {
  const channel = (shift: number) => {
    const k = (shift + hue / 30) % 12
    return (
      255 * (lightness - 0.4 * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
    )
  }
  return [channel(0), channel(8), channel(4)]
}

/** A preview: bands and a disc, in similar colours that depend on the name. */
const preview = (name: string) => {
  const hue = numberOf(name, 360)
  const colours = [channels(hue, 0.88), channels(hue + 12, 0.83), channels(hue + 30, 0.58)] as const
  const slope = 0.3 + numberOf(name, 20, 1) / 14
  const radius = 40 + numberOf(name, 60, 2)
  const centre = 100 + numberOf(name, 280, 3)
  const pixels = new Uint8Array(WIDTH * HEIGHT * 4)
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const isDisc = Math.hypot(x - centre, y - HEIGHT / 2) < radius
      const isBand = Math.floor((x + y * slope) / 48) % 2 === 0
      const [red, green, blue] = isDisc ? colours[2] : isBand ? colours[1] : colours[0]
      pixels.set([red, green, blue, 255], (y * WIDTH + x) * 4)
    }
  return encodePng(WIDTH, HEIGHT, pixels)
}

/** A site's icon: its first letter on a coloured tile. */
const favicon = (name: string) => {
  const letter = Bun.escapeHTML(
    name
      .replace(/^www\./, "")
      .charAt(0)
      .toUpperCase()
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7"
    fill="hsl(${numberOf(name, 360)} 55% 42%)"/><text x="16" y="23" font-family="sans-serif" font-size="20" font-weight="700"
    text-anchor="middle" fill="#fff">${letter}</text></svg>`
}

/** The addresses of pictures at an origin. */
export const picturesAt = (origin: string) => ({
  preview: (name: string) => `${origin}/preview/${encodeURIComponent(name)}`,
  favicon: (name: string) => `${origin}/favicon/${encodeURIComponent(name)}`
})
export type Pictures = ReturnType<typeof picturesAt>

/** A loopback server with a picture for every name: `/preview/<name>` and `/favicon/<name>`. */
export const servePictures = () => {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    routes: {
      "/preview/:name": ({ params }) =>
        new Response(Buffer.from(preview(params.name)), { headers: { "content-type": "image/png" } }),
      "/favicon/:name": ({ params }) =>
        new Response(favicon(params.name), { headers: { "content-type": "image/svg+xml" } })
    },
    fetch: () => new Response("not found", { status: 404 })
  })
  const origin = `http://127.0.0.1:${server.port}`
  return { ...picturesAt(origin), origin, host: `127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}
