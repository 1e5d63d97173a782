import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import pack from "../../package.json" with { type: "json" }
import { type Package, packagesBelow } from "./notices.ts"

/** An npm package as a package URL (ECMA-427). */
const purlOf = (name: string, version: string) => `pkg:npm/${name.replace(/^@/, "%40")}@${version}`

/** A licence from a manifest: an SPDX expression, an SPDX identifier, or the words that stand there. */
const licenceOf = (license: string) => {
  if (/\s(OR|AND|WITH)\s/.test(license)) return [{ expression: license.replace(/^\((.*)\)$/, "$1") }]
  return [{ license: /^[A-Za-z0-9.+-]+$/.test(license) ? { id: license } : { name: license } }]
}

/** The SHA-512 of each package's archive by `name@version`, in hexadecimal, from the text of `bun.lock`. */
const digestsIn = (lock: string): ReadonlyMap<string, string> =>
  new Map(
    [...lock.matchAll(/^ {4}"[^"]+": \["([^"]+)", .*"sha512-([A-Za-z0-9+/=]+)"\],$/gm)].map(
      ([, name = "", digest = ""]) => [name, Buffer.from(digest, "base64").toString("hex")]
    )
  )

const websiteOf = (home: string) => {
  const address = home.replace(/^git\+/, "").replace(/^git:\/\//, "https://")
  return /^https:\/\/\S+$/.test(address) ? { externalReferences: [{ type: "website", url: address }] } : {}
}

const componentOf = (
  { contains, home, license, name, version }: Package,
  digests: ReadonlyMap<string, string>
) => {
  const [, group, local = name] = /^(@[^/]+)\/(.*)$/.exec(name) ?? []
  const digest = digests.get(`${name}@${version}`)
  if (digest === undefined) throw new Error(`bun.lock has no digest of ${name} ${version}`)
  return {
    type: "library",
    "bom-ref": purlOf(name, version),
    ...(group === undefined ? {} : { group }),
    name: local,
    version,
    hashes: [{ alg: "SHA-512", content: digest }],
    licenses: licenceOf(license),
    purl: purlOf(name, version),
    ...websiteOf(home),
    ...(contains.length === 0
      ? {}
      : {
          components: contains.map((one) => ({
            type: "library",
            "bom-ref": `${purlOf(name, version)}#${one.name}`,
            name: one.name,
            version: one.version,
            licenses: licenceOf(one.license)
          }))
        })
  }
}

/** A UUID made of the content's digest (RFC 9562, version 8), so that equal contents have equal serial numbers. */
const serialOf = (content: string) => {
  const hex = createHash("sha256").update(content).digest("hex")
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/**
 * The program's bill of materials (CycloneDX 1.6, JSON): its runtime, and every package that is built into it with the
 * digest from `bun.lock`. Equal inputs give equal bytes, so it has no time.
 */
export const sbom = (root: string, bun: string): string => {
  const digests = digestsIn(readFileSync(join(root, "bun.lock"), "utf8"))
  const installed = packagesBelow(root)
  const refs = new Map(installed.map((one) => [one.folder, purlOf(one.name, one.version)]))
  // A package may be installed in several folders.
  const packages = [...Map.groupBy(installed, ({ name, version }) => purlOf(name, version)).values()].flatMap(
    ([one, ...others]) =>
      one === undefined
        ? []
        : [{ ...one, dependencies: [one, ...others].flatMap(({ dependencies }) => dependencies) }]
  )
  const program = `${pack.name}@${pack.version}`
  const runtime = `pkg:github/oven-sh/bun@bun-v${bun}`
  const refsOf = (folders: ReadonlyArray<string>) =>
    [...new Set(folders.flatMap((folder) => refs.get(folder) ?? []))].sort()
  const direct = installed.filter(({ isDirect }) => isDirect).map(({ folder }) => folder)
  const body = {
    metadata: {
      component: {
        type: "application",
        "bom-ref": program,
        name: pack.name,
        version: pack.version,
        description: pack.description,
        licenses: licenceOf(pack.license)
      }
    },
    components: [
      {
        type: "platform",
        "bom-ref": runtime,
        name: "bun",
        version: bun,
        licenses: licenceOf("MIT"),
        purl: runtime,
        externalReferences: [{ type: "license", url: "https://bun.com/docs/project/license" }]
      },
      ...packages.map((one) => componentOf(one, digests))
    ],
    dependencies: [
      { ref: program, dependsOn: [runtime, ...refsOf(direct)] },
      { ref: runtime },
      ...packages.map(({ dependencies, name, version }) => ({
        ref: purlOf(name, version),
        dependsOn: refsOf(dependencies)
      }))
    ]
  }
  const format = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: serialOf(JSON.stringify(body)),
    version: 1
  }
  return `${JSON.stringify({ ...format, ...body }, null, 2)}\n`
}
