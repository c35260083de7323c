// What well-known programs need beyond the project: the network, git's own folder, the keys of the service they talk to. Data and its reader.
import type { ShellCommand } from '../types/permission.ts';

/** Which subcommands (the first operand, or `operand operand`) need it; `true`: all of them, and none at all. */
type When = true | RegExp;

const FETCHES = /^(i|install|ci|add|update|up|upgrade|outdated|audit|publish|unpublish|view|info|show|search|create|init|dlx|x|login|logout|whoami|dedupe|rebuild|fetch|import|link|remove|rm|uninstall|un|prune|ping|doctor|pack|set|self|config set|npm .*)$/;
/* Servers that somebody outside of the sandbox is meant to reach. */
const SERVES = /^(run |run-script )?(dev|start|serve|preview|watch|develop|storybook)(:.*)?$/;
const either = (...patterns: RegExp[]) => new RegExp(patterns.map(({ source }) => source).join('|'));

const NETWORK: Readonly<Record<string, When>> = {
  curl: true, wget: true, http: true, https: true, xh: true, aria2c: true, ssh: true, scp: true, sftp: true, ftp: true, rsync: true, 'ssh-copy-id': true, 'ssh-keyscan': true, mosh: true, nc: true, ncat: true, netcat: true, socat: true, telnet: true,
  ping: true, dig: true, nslookup: true, host: true, whois: true, traceroute: true, tracepath: true, mtr: true, nmap: true, openssl: /^(s_client|s_time|ocsp)$/,
  git: /^(push|fetch|pull|clone|ls-remote|send-email|svn|p4|remote (update|show|prune|set-head)|submodule (update|add|init|sync)|lfs (fetch|pull|push|install)|archive --remote.*|maintenance run)$/,
  hg: /^(pull|push|clone|incoming|outgoing|in|out)$/, svn: true, gh: true, glab: true, hub: true, tea: true,
  npm: either(FETCHES, SERVES), pnpm: either(FETCHES, SERVES), yarn: either(FETCHES, SERVES, /^$/), bun: either(FETCHES, SERVES), corepack: true, nvm: /^(install|ls-remote)$/, volta: true, fnm: true, deno: /^(install|add|cache|upgrade|publish|serve|task .*)$/,
  pip: /^(install|download|index|search|wheel)$/, pipx: /^(install|run|upgrade|upgrade-all|inject|reinstall)$/, uv: /^(add|sync|lock|remove|run|tool|pip|python|publish|build|self)$/, uvx: true, poetry: /^(install|add|update|lock|publish|remove|self .*|source .*|new|sync)$/, pdm: /^(install|add|update|lock|publish|sync|remove)$/, pipenv: /^(install|update|lock|sync|uninstall)$/, conda: true, mamba: true, micromamba: true, twine: true, hatch: true, 'pre-commit': /^(install|install-hooks|autoupdate)$/,
  cargo: /^(add|install|fetch|update|publish|search|login|yank|owner|vendor|outdated|audit|generate-lockfile|binstall)$/, rustup: true, go: /^(get|install|mod .*|work sync)$/, gem: /^(install|update|fetch|push|search|outdated)$/, bundle: /^(install|update|add|outdated|)$/, bundler: true, composer: /^(install|update|require|create-project|outdated|remove|global .*)$/,
  mix: /^(deps\.get|deps\.update|hex\..*|local\..*|archive\.install.*|phx\.server)$/, dotnet: /^(restore|add|tool .*|nuget .*|workload .*|publish|watch)$/, nuget: true, flutter: /^(pub .*|upgrade|run|create)$/, dart: /^pub /, swift: /^package /, pod: true, carthage: true, cabal: /^(update|install|fetch)$/, stack: /^(setup|update|install)$/, opam: true, luarocks: true, cpan: true, cpanm: true, nix: true, brew: true,
  docker: true, 'docker-compose': true, podman: true, nerdctl: true, kubectl: true, helm: true, k9s: true, minikube: true, kind: true, terraform: true, tofu: true, pulumi: true, ansible: true, 'ansible-playbook': true, vagrant: true, packer: true,
  aws: true, gcloud: true, gsutil: true, bq: true, az: true, doctl: true, heroku: true, vercel: true, netlify: true, fly: true, flyctl: true, wrangler: true, firebase: true, supabase: true, railway: true, stripe: true, ngrok: true, sentry: true, 'sentry-cli': true,
  psql: true, pg_dump: true, pg_restore: true, pg_isready: true, createdb: true, dropdb: true, mysql: true, mysqldump: true, mariadb: true, 'redis-cli': true, mongosh: true, mongo: true, mongodump: true, 'clickhouse-client': true,
  playwright: /^(install|install-deps)/, cypress: /^install$/, 'create-react-app': true, 'create-next-app': true, degit: true, tiged: true, shadcn: true, 'npm-check-updates': true, ncu: true,
  vite: /^(|dev|serve|preview)$/, next: /^(dev|start)$/, nuxt: /^(dev|preview|start)$/, astro: /^(dev|preview)$/, remix: /^(dev|serve)$/, 'react-scripts': /^start$/, 'vue-cli-service': /^serve$/, ng: /^(serve|s|add|update|new)$/, webpack: /^(serve|watch)$/, 'webpack-dev-server': true, 'http-server': true, serve: true, 'live-server': true, 'json-server': true, storybook: /^dev$/, expo: true, gatsby: /^(develop|serve)$/,
  flask: /^run$/, uvicorn: true, gunicorn: true, hypercorn: true, streamlit: /^run$/, jupyter: true, 'jupyter-lab': true, mkdocs: /^(serve|gh-deploy)$/, rails: /^(s|server)$/, puma: true, rackup: true, jekyll: /^serve$/, hugo: /^server$/, caddy: /^(run|start)$/, nginx: true,
};

/* `python -m http.server` is the module that follows, `python manage.py runserver` a server as well. */
const MODULES: When = /^(http\.server|flask|uvicorn|gunicorn|streamlit|jupyter.*|twine)$/;

/** Subcommands of git that write into `.git`; of those, the ones that change its configuration too. */
const GIT_WRITES = /^(add|am|apply|bisect|branch|checkout|cherry-pick|commit|fetch|filter-branch|gc|init|lfs|maintenance|merge|mv|notes|pack-refs|prune|pull|push|rebase|reflog|remote|repack|replace|reset|restore|revert|rm|sparse-checkout|stash|stage|submodule|subtree|switch|symbolic-ref|tag|update-index|update-ref|worktree|commit-tree|write-tree|hash-object|read-tree|checkout-index|merge-index|fast-import|flow|config)$/;
const GIT_CONFIGURES = /^(branch|checkout|config|flow|init|lfs|maintenance|pull|push|rebase|remote|sparse-checkout|submodule|switch|worktree)$/;
/* Others whose purpose it is to run git. */
const GIT_USERS: Readonly<Record<string, When>> = {
  npm: /^version$/, pnpm: /^version$/, yarn: /^version$/, gh: /^(pr checkout|pr merge|repo sync)$/, glab: /^mr checkout$/, lerna: /^(version|publish)$/, changeset: /^(version|publish|tag)$/, nx: /^release$/, 'lint-staged': true, 'pre-commit': true,
  jj: true, gt: true, sl: true, tig: true, hub: true, cz: true, 'git-cz': true, 'git-lfs': true, 'git-absorb': true, 'release-it': true, 'standard-version': true, 'semantic-release': true, 'commit-and-tag-version': true, bump2version: true, 'bump-my-version': true,
};
/* What may stand beside git and can't use that git's configuration is open, nor that nothing is hidden from it: what it reads stands in its words. */
const CALM = /^(cd|echo|printf|true|false|:|test|\[|pwd|ls|cat|head|tail|wc|sort|uniq|date|sleep|which|dirname|basename|export)$/;

/** Options of git before the subcommand that take the next word. */
const GIT_VALUED = /^(-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env)$/;

export type Need = {
  /** The program's own name; `undefined` where it is not known, or is one that the project brings along. */
  program: string | undefined;
  network: boolean;
  git: 'no' | 'writes' | 'configures';
  /** It may see the keys that are made for it. */
  keys: boolean;
  /** It can do nothing by itself that its words do not show. */
  calm: boolean;
};

/** What one simple command needs. `hasLocal` says whether the project itself brings a program, so that `npx` need not fetch it. */
export function needOf({ words, effects }: ShellCommand, hasLocal: (program: string) => boolean): Need {
  const program = programOf(words[0]);
  const [first = '', second = ''] = operands(program, words.slice(1));
  const opened = effects.some(({ kind }) => kind === 'net');
  if (program === undefined) {
    // That of a virtual environment is the project's own: it may fetch, but gets no keys.
    const [, fetches] = /\/bin\/((?:pip|python)[\d.]*)$/.exec(words[0] ?? '') ?? [];
    return { program, network: opened || (fetches !== undefined && reaches(fetches, first, second, hasLocal)), git: 'no', keys: false, calm: words.length === 0 };
  }
  const git = gitOf(program, first, second);
  const network = opened || reaches(program, first, second, hasLocal);
  // `npm test` runs the project's code: keys are for the subcommands that talk to the service.
  const keys = network || git !== 'no' || !Object.hasOwn(NETWORK, program);
  return { program, network, git, keys, calm: program === 'git' || CALM.test(program) };
}

function gitOf(program: string, first: string, second: string): Need['git'] {
  if (program !== 'git') return Object.hasOwn(GIT_USERS, program) && matches(GIT_USERS[program], first, second) ? 'writes' : 'no';
  if (!GIT_WRITES.test(first)) return 'no';
  return GIT_CONFIGURES.test(first) ? 'configures' : 'writes';
}

function reaches(program: string, first: string, second: string, hasLocal: (program: string) => boolean): boolean {
  if (/^(npx|bunx|pnpx)$/.test(program)) return first !== '' && !hasLocal(first);
  if (/^(npm|pnpm|yarn)$/.test(program) && first === 'exec') return second !== '' && !hasLocal(second);
  if (/^python[\d.]*$/.test(program)) return program.length > 0 && (/^pip$/.test(first) ? matches(NETWORK['pip'], second, '') : matches(MODULES, first, '') || second === 'runserver');
  if (program === 'php') return first === '-S';
  const name = /^pip[\d.]+$/.test(program) ? 'pip' : program;
  return Object.hasOwn(NETWORK, name) && matches(NETWORK[name], first, second);
}

const matches = (when: When | undefined, first: string, second: string): boolean =>
  when === true || (when !== undefined && (when.test(first) || when.test(`${first} ${second}`)));

/** A path into the project is the project's own program, whatever its name. */
function programOf(word: string | null | undefined): string | undefined {
  if (typeof word !== 'string' || word === '') return undefined;
  if (!word.includes('/')) return word;
  return /^(\/usr(\/local)?|\/opt\/homebrew|\/opt\/local)?\/s?bin\/[^/]+$/.test(word) ? word.slice(word.lastIndexOf('/') + 1) : undefined;
}

/** The operands, without options. */
function operands(program: string | undefined, words: readonly (string | null)[]): string[] {
  const found: string[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? '';
    if (program === 'php' && word === '-S') return [word];
    if (program === 'git' && found.length === 0 && GIT_VALUED.test(word)) { i += 1; continue; }
    if (word.startsWith('-') && word !== '-') {
      if (program === 'git' && word.startsWith('--remote')) found.push(word);
      continue;
    }
    found.push(word);
  }
  return found;
}
