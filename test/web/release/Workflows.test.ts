import { describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { Schema } from "effect"
import { TARGETS } from "../../../web/targets.ts"

const FOLDER = resolve(import.meta.dir, "../../../.github/workflows")

const Texts = Schema.Record({ key: Schema.String, value: Schema.Unknown })
const Permissions = Schema.Record({ key: Schema.String, value: Schema.Literal("read", "write") })
const Job = Schema.Struct({
  needs: Schema.optional(Schema.Union(Schema.String, Schema.Array(Schema.String))),
  permissions: Schema.optional(Permissions),
  "timeout-minutes": Schema.optional(Schema.Number),
  uses: Schema.optional(Schema.String),
  strategy: Schema.optional(
    Schema.Struct({
      matrix: Schema.Struct({ include: Schema.Array(Schema.Struct({ target: Schema.String })) })
    })
  ),
  steps: Schema.optional(
    Schema.Array(
      Schema.Struct({
        uses: Schema.optional(Schema.String),
        run: Schema.optional(Schema.String),
        with: Schema.optional(Texts),
        env: Schema.optional(Texts)
      })
    )
  )
})
const Workflow = Schema.Struct({
  name: Schema.String,
  on: Texts,
  permissions: Permissions,
  jobs: Schema.Record({ key: Schema.String, value: Job })
})

const workflows = new Map(
  readdirSync(FOLDER).map((name) => {
    const text = readFileSync(join(FOLDER, name), "utf8")
    return [name, { text, workflow: Schema.decodeUnknownSync(Workflow)(Bun.YAML.parse(text)) }] as const
  })
)
const workflowOf = (name: string) => {
  const found = workflows.get(name)
  if (found === undefined) throw new Error(`there is no workflow ${name}`)
  return found
}

describe.each([...workflows.keys()])("the workflow %s", (name) => {
  const { text, workflow } = workflowOf(name)
  const jobs = Object.entries(workflow.jobs)
  const steps = jobs.flatMap(([, job]) => job.steps ?? [])

  test("runs actions of a commit only, and says which version that is", () => {
    for (const [, action = ""] of text.matchAll(/uses: (.*)$/gm))
      expect(action).toMatch(
        /^(\.\/\.github\/workflows\/[\w.]+|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/
      )
  })

  test("leaves no credentials in the checkout, and puts no expression into a script", () => {
    for (const step of steps) {
      if (step.uses?.startsWith("actions/checkout@")) expect(step.with?.["persist-credentials"]).toBe(false)
      expect(step.run ?? "").not.toContain("${{")
    }
  })

  test("has jobs that end, and that need jobs of this workflow", () => {
    for (const [id, job] of jobs) {
      if (job.uses === undefined) expect([id, typeof job["timeout-minutes"]]).toEqual([id, "number"])
      for (const need of [job.needs ?? []].flat()) expect(Object.keys(workflow.jobs)).toContain(need)
    }
  })

  test("never gives a proposed change more than reading", () => {
    const events = Object.keys(workflow.on)
    for (const event of ["pull_request_target", "workflow_run", "issue_comment"])
      expect(events).not.toContain(event)
    if (!events.includes("pull_request")) return
    expect(text).not.toContain("secrets")
    for (const permissions of [workflow.permissions, ...jobs.map(([, job]) => job.permissions ?? {})])
      expect(Object.values(permissions)).not.toContain("write")
  })

  test("uses this version of Bun, and no secret but its own token", () => {
    for (const [, version = ""] of text.matchAll(/bun@([\d.]+)/g)) expect(version).toBe(Bun.version)
    for (const [, secret = ""] of text.matchAll(/secrets\.(\w+)/g)) expect(secret).toBe("GITHUB_TOKEN")
    expect(text).not.toContain("secrets: inherit")
  })
})

describe("a release", () => {
  const { workflow } = workflowOf("release.yml")
  const { build, image, publish, test: tested, try: tried } = workflow.jobs

  test("is made by a tag, and the image of main by a push to it", () => {
    expect(workflow.on).toEqual({ push: { branches: ["main"], tags: ["v[0-9]+.[0-9]+.[0-9]+*"] } })
  })

  test("gives each job only the permissions it needs", () => {
    const attest = { "id-token": "write", attestations: "write", "artifact-metadata": "write" } as const
    expect(workflow.permissions).toEqual({})
    expect(
      Object.fromEntries(Object.entries(workflow.jobs).map(([id, { permissions }]) => [id, permissions]))
    ).toEqual({
      test: { contents: "read" },
      build: { contents: "read" },
      try: {},
      image: { contents: "read", packages: "write", ...attest },
      publish: { contents: "write", ...attest }
    })
  })

  test("publishes nothing that was not tested, and not started on its own kind of machine", () => {
    expect([tested?.uses, build?.needs, tried?.needs, image?.needs, publish?.needs]).toEqual([
      "./.github/workflows/test.yml",
      "test",
      "build",
      ["test", "try"],
      ["build", "try", "image"]
    ])
    expect(tried?.strategy?.matrix.include.map(({ target }) => target).toSorted()).toEqual(
      Object.keys(TARGETS).toSorted()
    )
  })

  test("attests every file, the bill of materials and the image", () => {
    const inputs = [...(publish?.steps ?? []), ...(image?.steps ?? [])].flatMap((step) =>
      step.uses?.startsWith("actions/attest@") ? [Object.keys(step.with ?? {})] : []
    )
    expect(inputs).toEqual([
      ["subject-checksums"],
      ["subject-path", "sbom-path"],
      ["subject-name", "subject-digest", "push-to-registry"]
    ])
  })

  test.skipIf(Bun.which("shellcheck") === null)("has scripts in which shellcheck finds nothing", async () => {
    for (const { run } of Object.values(workflow.jobs).flatMap((job) => job.steps ?? [])) {
      if (run === undefined) continue
      const child = Bun.spawn(["shellcheck", "-s", "bash", "-"], { stdin: Buffer.from(run), stdout: "pipe" })
      expect([await new Response(child.stdout).text(), await child.exited]).toEqual(["", 0])
    }
  })
})
