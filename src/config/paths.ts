// Where everything lies on disk: the project root, the user's folder and every file and folder of ours in them.
import { existsSync, mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** Absolute paths, links resolved down to the working directory. Nothing is created by naming it here. */
export type Paths = {
  cwd: string;
  home: string;
  /** Project root. */
  root: string;
  /** `~/.mewcode`, or where MEWCODE_HOME says. */
  userDir: string;
  /** `.mewcode` under the root. Where there is no project level (in the home folder itself) it is `userDir`. */
  projectDir: string;
  hasProject: boolean;
  userConfig: string;
  /** In the order of their rank; only the places, whether or not there is a file. Empty without a project level. */
  projectConfigs: readonly string[];
  userPermissions: string;
  teamPermissions: string;
  /** Where "always" answers go; the user's file where there is no project level. */
  localPermissions: string;
  trustFile: string;
  /** What the files of `trustFile` said, to show what has changed in them. */
  trustTexts: string;
  credentials: string;
  sessions: string;
  plans: string;
  logs: string;
};

/** What teams share of `.mewcode/`; everything else in it is ignored by git. */
const SHARED = ['config.yaml', 'permissions.yaml', 'skills/', 'agents/', 'commands/', 'hooks/', 'mcp.json', 'rules/'];

/** All paths of a start in `cwd`. */
export function findPaths(where: { cwd: string; env: NodeJS.ProcessEnv }): Paths {
  const home = real(where.env.HOME || homedir());
  const cwd = real(where.cwd);
  const userDir = real(where.env.MEWCODE_HOME ? resolve(cwd, where.env.MEWCODE_HOME) : join(home, '.mewcode'));
  const root = findRoot(cwd, home);
  const ownDir = real(join(root, '.mewcode'));
  const hasProject = root !== home && ownDir !== userDir;
  const projectDir = hasProject ? ownDir : userDir;
  const userConfig = join(userDir, 'config.yaml');
  const userPermissions = join(userDir, 'permissions.yaml');
  return {
    cwd, home, root, userDir, projectDir, hasProject,
    userConfig,
    // Whoever stands in the user's folder or in the project's has the same file twice.
    projectConfigs: hasProject ? [...new Set([join(projectDir, 'config.yaml'), join(cwd, 'config.yaml')])].filter((path) => path !== userConfig) : [],
    userPermissions,
    teamPermissions: hasProject ? join(projectDir, 'permissions.yaml') : userPermissions,
    localPermissions: hasProject ? join(projectDir, 'permissions.local.yaml') : userPermissions,
    trustFile: join(userDir, 'trust.json'),
    trustTexts: join(userDir, 'trust'),
    credentials: join(userDir, 'credentials.json'),
    sessions: join(projectDir, 'session'),
    plans: join(projectDir, 'plans'),
    logs: join(projectDir, 'logs'),
  };
}

/** The nearest folder upwards that holds `.git` or `.mewcode`, the home folder and all above it excepted; else `cwd`. */
function findRoot(cwd: string, home: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const above = home === folder || home.startsWith(folder.endsWith(sep) ? folder : folder + sep);
    if (above) return cwd;
    if (existsSync(join(folder, '.git')) || isFolder(join(folder, '.mewcode'))) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}

/** Makes the project's `.mewcode/` with a `.gitignore` of its own. Call before the first write into it. */
export function makeProjectDir(paths: Paths): void {
  mkdirSync(paths.projectDir, { recursive: true, mode: paths.hasProject ? 0o755 : 0o700 });
  if (!paths.hasProject) return;
  try {
    writeFileSync(join(paths.projectDir, '.gitignore'), ['/*', ...SHARED.map((name) => `!/${name}`), ''].join('\n'), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** `path` as people name it: relative to the project root, or with `~`. */
export function shortPath(path: string, paths: Pick<Paths, 'root' | 'home'>): string {
  if (path.startsWith(paths.root + sep)) return relative(paths.root, path);
  return path.startsWith(paths.home + sep) ? `~${sep}${relative(paths.home, path)}` : path;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
