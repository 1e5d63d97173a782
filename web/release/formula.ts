import pack from "../../package.json" with { type: "json" }
import type { Target } from "../targets.ts"

/** A released archive: its target and its SHA-256 in hexadecimal. */
export interface Released {
  readonly target: Target
  readonly file: string
  readonly sum: string
}

/** The lines of a block that Homebrew reads on one kind of machine; none if the release has no archive for it. */
const block = (condition: string, release: Released | undefined, base: string): ReadonlyArray<string> =>
  release === undefined
    ? []
    : [
        `    on_${condition} do`,
        `      url "${base}/${release.file}"`,
        `      sha256 "${release.sum}"`,
        "    end"
      ]

/**
 * The Homebrew formula of a release. `releases` is the address of all releases, such as
 * `https://github.com/OWNER/REPOSITORY/releases`.
 */
export const formula = (releases: string, version: string, files: ReadonlyArray<Released>): string => {
  const base = `${releases}/download/v${version}`
  const released = (target: Target) => files.find((file) => file.target === target)
  return `class Linkbower < Formula
  desc "${pack.description.replace(/\.$/, "").replace(/^A /, "")}"
  homepage "${releases.replace(/\/releases$/, "")}"
  version "${version}"
  license "${pack.license}"

  on_macos do
    depends_on arch: :arm64
${block("arm", released("darwin-arm64"), base).join("\n")}
  end

  on_linux do
${[...block("intel", released("linux-x64"), base), ...block("arm", released("linux-arm64"), base)].join("\n")}
  end

  def install
    bin.install "linkbower"
    bash_completion.install "completions/linkbower.bash" => "linkbower"
    zsh_completion.install "completions/_linkbower"
    fish_completion.install "completions/linkbower.fish"
    doc.install "README.md", "THIRD-PARTY-NOTICES.txt", "WORD-TABLE-NOTICE.md"
  end

  def post_install
    (var/"linkbower").mkpath
    (var/"linkbower").chmod 0700
  end

  service do
    run [opt_bin/"linkbower", "serve"]
    working_dir var/"linkbower"
    environment_variables DATA_DIR: var/"linkbower"
    keep_alive true
    log_path var/"log/linkbower.log"
    error_log_path var/"log/linkbower.log"
  end

  def caveats
    <<~EOS
      Start it with \`brew services start linkbower\` and open http://localhost:8787.
      The code to sign in with is in #{var}/log/linkbower.log.
    EOS
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/linkbower --version")
  end
end
`
}
