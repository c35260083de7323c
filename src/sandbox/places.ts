// Where keys, sockets and caches lie: what commands never see, but for the program that they belong to. Data.

/** A place with keys, below the home folder. `of`: the programs that it is made for; they see it where the command that may run is theirs. */
export type KeyPlace = { path: string; of?: RegExp };

const SSH = /^(ssh|scp|sftp|rsync|git|mosh|ssh-add|ssh-keygen|ssh-keyscan|ssh-copy-id|ansible|ansible-playbook)$/;
const GIT = /^(git|gh|glab|hub|curl|wget)$/;
const NODE = /^(npm|npx|pnpm|pnpx|yarn|bun|bunx|corepack|ncu)$/;
const DOCKER = /^(docker|docker-compose|podman|nerdctl)$/;
const KUBE = /^(kubectl|helm|k9s|minikube|kind|terraform|tofu|pulumi)$/;
const AWS = /^(aws|terraform|tofu|pulumi|sam|cdk)$/;
const POSTGRES = /^(psql|pg_.*|createdb|dropdb)$/;
const MYSQL = /^(mysql|mysqldump|mariadb)$/;
const GOOGLE = /^(gcloud|gsutil|bq|terraform|tofu|pulumi)$/;

export const KEYS: readonly KeyPlace[] = [
  { path: '.ssh', of: SSH }, { path: '.netrc', of: GIT }, { path: '.git-credentials', of: GIT }, { path: '.config/git/credentials', of: GIT },
  { path: '.config/gh', of: /^(gh|git)$/ }, { path: '.config/glab-cli', of: /^(glab|git)$/ }, { path: '.config/hub', of: /^(hub|git)$/ },
  { path: '.npmrc', of: NODE }, { path: '.yarnrc.yml', of: NODE }, { path: '.pypirc', of: /^(twine|pip|pip3|python3?|poetry|uv|hatch)$/ }, { path: '.config/pypoetry', of: /^poetry$/ },
  { path: '.cargo/credentials', of: /^cargo$/ }, { path: '.cargo/credentials.toml', of: /^cargo$/ }, { path: '.gem/credentials', of: /^gem$/ }, { path: '.m2/settings.xml', of: /^(mvn|mvnw)$/ }, { path: '.m2/settings-security.xml', of: /^(mvn|mvnw)$/ }, { path: '.gradle/gradle.properties', of: /^(gradle|gradlew)$/ }, { path: '.composer/auth.json', of: /^composer$/ }, { path: '.config/composer/auth.json', of: /^composer$/ }, { path: '.nuget/NuGet', of: /^(dotnet|nuget)$/ }, { path: '.terraformrc', of: KUBE }, { path: '.terraform.d/credentials.tfrc.json', of: KUBE },
  { path: '.docker', of: DOCKER }, { path: '.config/containers/auth.json', of: DOCKER }, { path: '.kube', of: KUBE },
  { path: '.aws', of: AWS }, { path: '.config/gcloud', of: GOOGLE }, { path: '.boto', of: GOOGLE }, { path: '.azure', of: /^(az|terraform|tofu|pulumi)$/ }, { path: '.config/doctl', of: /^doctl$/ }, { path: '.oci', of: /^oci$/ }, { path: '.config/heroku', of: /^heroku$/ }, { path: '.fly', of: /^fly(ctl)?$/ }, { path: '.config/rclone', of: /^rclone$/ }, { path: '.s3cfg', of: /^s3cmd$/ }, { path: '.vault-token', of: /^vault$/ },
  { path: '.pgpass', of: POSTGRES }, { path: '.my.cnf', of: MYSQL },
  { path: '.gnupg', of: /^(gpg|gpg2|git)$/ }, { path: '.password-store' }, { path: '.local/share/keyrings' }, { path: '.local/share/kwalletd' }, { path: 'Library/Keychains' }, { path: '.config/op' }, { path: '.Xauthority' }, { path: '.ICEauthority' },
  // Other agents, editors and browsers: sessions and tokens.
  { path: '.claude/.credentials.json' }, { path: '.claude.json' }, { path: '.codex/auth.json' }, { path: '.gemini/oauth_creds.json' }, { path: '.gemini/google_accounts.json' }, { path: '.local/share/opencode/auth.json' }, { path: '.local/share/crush' }, { path: '.config/github-copilot' }, { path: '.config/goose' }, { path: '.qwen/oauth_creds.json' }, { path: '.pi/agent/auth.json' }, { path: '.aider.conf.yml' }, { path: '.continue/config.yaml' },
  { path: '.mozilla' }, { path: '.config/google-chrome' }, { path: '.config/chromium' }, { path: '.config/BraveSoftware' }, { path: '.thunderbird' }, { path: 'Library/Application Support/Google/Chrome' }, { path: 'Library/Application Support/Firefox' },
  { path: '.bash_history' }, { path: '.zsh_history' }, { path: '.python_history' }, { path: '.node_repl_history' }, { path: '.psql_history' }, { path: '.mysql_history' },
];

/** What the system keeps from all but root: for those who are. */
export const SYSTEM_KEYS: readonly string[] = ['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/ssl/private', ...['rsa', 'ecdsa', 'ed25519'].map((kind) => `/etc/ssh/ssh_host_${kind}_key`)];

/** Folders whose sockets lead out: to system services, desktops, containers. */
export const SOCKET_FOLDERS: readonly string[] = ['/run', '/var/run', '/var/snap/lxd', '/var/lib/lxd', '/var/lib/incus'];
/** What programs must find of them all the same: name resolution, and where NixOS keeps its programs. */
export const SHOWN: readonly string[] = ['/run/systemd/resolve', '/run/resolvconf', '/run/NetworkManager/resolv.conf', '/run/current-system', '/run/booted-system', '/run/opengl-driver', '/run/wrappers'];
/** Sockets that the programs made for them reach all the same; `~` is the user's folder of sockets. The daemon of containers has all of the machine: a command that names it was judged with that in mind. */
export const SOCKETS: readonly { path: string; of: RegExp }[] = [
  ...['/run/docker.sock', '/var/run/docker.sock', '/run/podman', '~/docker.sock', '~/podman'].map((path) => ({ path, of: DOCKER })),
  { path: '~/gnupg', of: /^(gpg|gpg2|git)$/ }, { path: '/run/postgresql', of: POSTGRES }, { path: '/run/mysqld', of: MYSQL },
];
/** Folders in the temporary folder that hold sockets of screens, shells, agents and desktops; sockets right in it are found by their kind. */
export const SOCKET_NAMES = /^(tmux-|screens?$|uscreens|\.X11-unix|\.ICE-unix|\.XIM-unix|ssh-|dbus-|emacs|gpg-|keyring-|vscode-|pulse-|kitty|wezterm|zellij|com\.apple\.launchd|\.vbox)/;

/** Stores of downloads, below the home folder, that a package manager may write in a command that was allowed the network. */
export const STORES: readonly { path: string; of: RegExp }[] = [
  { path: '.cargo/registry', of: /^cargo$/ }, { path: '.cargo/git', of: /^cargo$/ }, { path: 'go/pkg', of: /^go$/ },
  { path: '.m2/repository', of: /^(mvn|mvnw)$/ }, { path: '.nuget/packages', of: /^dotnet$/ }, { path: '.local/share/pnpm', of: /^(pnpm|pnpx)$/ }, { path: 'Library/pnpm', of: /^(pnpm|pnpx)$/ },
];

/** Caches that programs can't do without: variable, and the folder in ours that it names. */
export const CACHES: Readonly<Record<string, string>> = {
  npm_config_cache: 'npm', YARN_CACHE_FOLDER: 'yarn', YARN_GLOBAL_FOLDER: 'yarn-berry', BUN_INSTALL_CACHE_DIR: 'bun', DENO_DIR: 'deno', PIP_CACHE_DIR: 'pip', UV_CACHE_DIR: 'uv', POETRY_CACHE_DIR: 'poetry', PRE_COMMIT_HOME: 'pre-commit',
  GOCACHE: 'go-build', GRADLE_USER_HOME: 'gradle', CCACHE_DIR: 'ccache', SCCACHE_DIR: 'sccache', COMPOSER_CACHE_DIR: 'composer', ELECTRON_CACHE: 'electron', MPLCONFIGDIR: 'matplotlib', NUMBA_CACHE_DIR: 'numba', CYPRESS_CACHE_FOLDER: 'cypress', DOTNET_CLI_HOME: 'dotnet',
};

/** Folders that the search for sensitive files passes over: dependencies and build output, whose keys are samples. */
export const PASSED_OVER: ReadonlySet<string> = new Set(['node_modules', '.venv', 'venv', 'site-packages', 'vendor', 'target', '__pycache__', '.tox', '.nox', '.cache', 'bower_components', 'Pods', '.gradle', '.next', '.nuxt', '.turbo', '.yarn', '.pnpm-store']);
