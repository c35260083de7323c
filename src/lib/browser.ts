// Opens a page in the user's browser.
import { spawn } from 'node:child_process';
import { findProgram } from './find-program.ts';
import { childEnv } from './spawn.ts';

/** What a desktop's programs need besides what any child gets. */
const DESKTOP = ['DISPLAY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR', 'XDG_CURRENT_DESKTOP', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS', 'BROWSER'];

/**
 * Hands an http(s) address to the browser: `MEWCODE_BROWSER` or `BROWSER` where one is set (`none`: nothing is opened), else what
 * the system has for it. False where nothing could be started: the user must be shown the address in any case.
 */
export function openBrowser(url: string, env: NodeJS.ProcessEnv): boolean {
  if (!/^https?:$/.test(new URL(url).protocol)) return false;
  const wanted = env['MEWCODE_BROWSER'] ?? env['BROWSER'];
  if (wanted === 'none') return false;
  const usual = process.platform === 'darwin' ? 'open' : process.platform === 'win32' ? 'explorer' : 'xdg-open';
  // A list of names, as other programs read it; a whole path is one too.
  const program = (wanted ?? usual).split(':').map((name) => (name.includes('/') ? name : findProgram(name, env))).find((path) => path !== undefined && path !== '');
  if (program === undefined) return false;
  try {
    // It lives on when MewCode ends, so it is in no group of ours.
    const child = spawn(program, [url], { detached: true, stdio: 'ignore', env: childEnv(env, DESKTOP) });
    child.on('error', () => {});
    child.unref();
    return true;
  } catch {
    return false;
  }
}
