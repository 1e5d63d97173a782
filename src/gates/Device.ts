/** The name of a browser or a system, and the text by which its User-Agent is recognized; the first match counts. */
type Names = ReadonlyArray<readonly [name: string, pattern: RegExp]>

const browsers: Names = [
  ["Edge", /\bEdg(?:e|A|iOS)?\//],
  ["Opera", /\b(?:OPR|Opera)\//],
  ["Vivaldi", /\bVivaldi\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ["Chromium", /\bChromium\//],
  ["Safari", /\bSafari\//],
  ["curl", /^curl\//]
]

const systems: Names = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\b(?:Macintosh|Mac OS X)\b/],
  ["Linux", /\b(?:Linux|X11)\b/]
]

const nameIn = (names: Names, text: string) => names.find(([, pattern]) => pattern.test(text))?.[0]

/** Maximum length of a User-Agent that is read, in characters; real ones have about 120. */
const MAX_AGENT = 512

/** Describes the device of a User-Agent, such as "Firefox on Linux"; never repeats its text, which is anyone's. */
export const deviceName = (agent: string | undefined): string => {
  const text = (agent ?? "").slice(0, MAX_AGENT)
  const browser = nameIn(browsers, text)
  const system = nameIn(systems, text)
  if (browser === undefined) return system === undefined ? "Unknown device" : `A browser on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}
