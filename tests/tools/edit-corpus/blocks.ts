// Blocks that are not in the file exactly, and blocks that only look like the one that is meant.
import { gives, lines, refuses, type EditCase } from './case.ts';

const BLOCK = 'block anchors';
const CONTEXT = 'context-aware';
const USERS = lines(
  'export function getUser(id) {', '  // Look it up in the data base.', '  const user = db.find(id);', '  log(\'get\', id);', '  return user;', '}', '',
  'export function setUser(id, user) {', '  // Put it into the data base.', '  const old = db.find(id);', '  log(\'set\', id);', '  db.put(id, user);', '  return old;', '}',
);
const CASES = lines('switch (x) {', '  case 1:', '    open(a);', '    write(a, 1);', '    close(a);', '    break;', '  case 2:', '    open(a);', '    write(a, 2);', '    close(a);', '    break;', '}');
const STEPS = lines('step one', 'a = 1', 'b = 2', 'c = 3', 'step two', 'a = 1', 'b = 2', 'c = 4', 'step three');
const get = (comment: string, body: string) => `export function getUser(id) {\n  ${comment}\n  const user = db.find(id);\n  log('get', id);\n  ${body}\n}`;

export const blocks: readonly EditCase[] = [
  gives('a comment in slightly other words stays the file\'s', USERS, get('// Look it up in the database.', 'return user;'), get('// Look it up in the database.', 'return user ?? null;'), USERS.replace('return user;', 'return user ?? null;'), BLOCK),
  gives('a comment in slightly other words is replaced', USERS, get('// Look it up in the database.', 'return user;'), get('// Find it.', 'return user;'), USERS.replace('Look it up in the data base.', 'Find it.'), BLOCK),
  gives('a misspelt word in a line that goes', lines('function f() {', '  const message = greet(name);', '  show(message);', '}'), 'function f() {\n  const mesage = greet(name);\n  show(message);\n}', 'function f() {\n  show(greet(name));\n}', lines('function f() {', '  show(greet(name));', '}'), BLOCK),
  gives('the new text has what the file has', USERS, get('// Look it up in the database.', 'return user;'), get('// Look it up in the data base.', 'return user ?? null;'), USERS.replace('return user;', 'return user ?? null;'), BLOCK),
  gives('other white space inside a block', USERS, 'export function getUser(id) {\n  // Look it up in the data base.\n  const user  =  db.find(id);\n  log(\'get\', id);', 'export function getUser(id) {\n  // Look it up in the data base.\n  const user  =  db.find(id);\n  log(\'GET\', id);', USERS.replace('log(\'get\', id)', 'log(\'GET\', id)'), BLOCK),
  gives('a block in other indentation', USERS, get('// Look it up in the database.', 'return user;').replaceAll('  ', '    '), get('// Look it up in the database.', 'return user ?? null;').replaceAll('  ', '    '), USERS.replace('return user;', 'return user ?? null;'), BLOCK),
  refuses('a value that has changed in a line that goes', lines('const options = {', '  timeout: 5000,', '  retries: 3,', '};'), 'const options = {\n  timeout: 3000,\n  retries: 3,\n};', 'const options = {\n  timeout: 9000,\n  retries: 3,\n};', 'the edit would change "timeout: 5000,", where old_string has "timeout: 3000,"'),
  gives('a value that has changed in a line that stays', lines('const options = {', '  timeout: 5000,', '  retries: 3,', '};'), 'const options = {\n  timeout: 3000,\n  retries: 3,\n};', 'const options = {\n  timeout: 3000,\n  retries: 4,\n};', lines('const options = {', '  timeout: 5000,', '  retries: 4,', '};'), BLOCK),
  refuses('an operator that is other', lines('function add(a, b) {', '  return a + b;', '}'), 'function add(a, b) {\n  return a - b;\n}', 'function add(a, b) {\n  return a * b;\n}', 'the edit would change "return a + b;", where old_string has "return a - b;"'),
  refuses('a negation', lines('function ok(user) {', '  return !isValid(user);', '}'), 'function ok(user) {\n  return isValid(user);\n}', 'function ok(user) {\n  return isValid(user) && x;\n}', 'the edit would change "return !isValid(user);"'),
  refuses('a comparison turned round', lines('while (index < length) {', '  index += 1;', '  if (index > limit) break;', '}'), 'while (index < length) {\n  index += 1;\n  if (index < limit) break;\n}', 'while (index < length) {\n  index += 1;\n}', 'the edit would change'),
  refuses('a name that stands elsewhere in the file', lines('function a() {', '  return getUser(id);', '}', 'setUser();'), 'function a() {\n  return setUser(id);\n}', 'function a() {\n  return null;\n}', 'the edit would change "return getUser(id);"'),
  refuses('true for false', lines('const settings = {', '  enabled: true,', '  name: "settings",', '};'), 'const settings = {\n  enabled: false,\n  name: "settings",\n};', 'const settings = {\n  name: "settings",\n};', 'the edit would change "enabled: true,"'),
  refuses('a line that the model does not know would go', lines('start();', 'important();', 'end();'), 'start();\n\nend();', 'start();\nend();', 'was not found'),
  refuses('a block with a line more', USERS, 'export function getUser(id) {\n  const user = db.find(id);\n  log(\'get\', id);\n  return user;\n}', 'x', 'was not found'),
  refuses('a block with a line less', USERS, get('// Look it up in the data base.\n  // Really.', 'return user;'), 'x', 'was not found'),
  refuses('the head of one function and the body of another', USERS, 'export function getUser(id) {\n  // Put it into the data base.\n  const old = db.find(id);\n  log(\'set\', id);\n  db.put(id, user);\n  return old;\n}', 'x', 'was not found'),
  refuses('wholly other lines between equal ones', USERS, 'export function getUser(id) {\n  one();\n  two();\n  three();\n  return user;\n}', 'x', 'was not found'),
  refuses('only brackets as first and last line', lines('{', '  x = 1', '}'), '{\n  x = 2\n}', '{\n  x = 2\n  y = 3\n}', 'was not found'),
  refuses('the same case twice', CASES, '    open(a);\n    write(a, 3);\n    close(a);', '    open(a);\n    write(a, 4);\n    close(a);', 'Nothing was changed.'),
  refuses('near duplicates', CASES, '    open(a);\n    write(a,  1);\n    close(a);\n    done;', 'x', 'was not found'),
  gives('one of near duplicates, equal but for white space', CASES, '    open(a);\n    write(a,  1);\n    close(a);', '    open(a);\n    write(a,  1);\n    flush(a);\n    close(a);', CASES.replace('write(a, 1);\n', 'write(a, 1);\n    flush(a);\n'), 'whitespace-normalised'),
  gives('one of near duplicates by the line that tells them apart', CASES, '  case 1:\n    open(a);\n    write(a,  1);', '  case 1:\n    open(a);\n    rewrite(a, 1);', CASES.replace('write(a, 1)', 'rewrite(a, 1)'), 'whitespace-normalised'),
  refuses('near duplicates that differ at the end', STEPS, 'a = 1\nb = 2\nc = 5', 'a = 1\nb = 3\nc = 5', 'was not found'),
  refuses('near duplicates with a value that neither has', STEPS, 'step one\na = 1\nb = 3\nc = 3\nstep two', 'step one\na = 1\nb = 4\nc = 3\nstep two', 'the edit would change "b = 2"'),
  refuses('one step further down', lines('x', 'a', 'b', 'a', 'b', 'a', 'y'), 'a\nc\na', 'z', 'was not found'),
  refuses('code for a comment', lines('// if (a) {', '//   b();', '// }', 'if (a) {', '  c();', '}'), 'if (a) {\n  b();\n}', 'x', 'Nothing was changed.'),
  refuses('a comment for code', lines('function f() {', '  // send(mail);', '  done();', '}'), 'function f() {\n  send(mail);\n  done();\n}', 'function f() {\n  done();\n}', 'the edit would change "// send(mail);"'),
  refuses('a number in a comment', lines('function f() {', '  // Wait 30 seconds.', '  done();', '}'), 'function f() {\n  // Wait 60 seconds.\n  done();\n}', 'function f() {\n  // Wait a minute.\n  done();\n}', 'the edit would change "// Wait 30 seconds."'),
  gives('half of the middle is equal', lines('class Shape {', '  area() { return 0; }', '  name = "an old name for it";', '  draw() {}', '  move() {}', '}'), 'class Shape {\n  area() { return 0; }\n  title;\n  draw() {}\n  kind: number | undefined | null;\n}', 'class Shape {\n  area() { return 1; }\n  title;\n  draw() {}\n  kind: number | undefined | null;\n}', lines('class Shape {', '  area() { return 1; }', '  name = "an old name for it";', '  draw() {}', '  move() {}', '}'), CONTEXT),
  refuses('less than half of the middle is equal', lines('class Shape {', '  area() { return 0; }', '  name = "an old name for it";', '  move() {}', '}'), 'class Shape {\n  area() { return 0; }\n  title;\n  kind: number | undefined | null;\n}', 'class Shape {\n  area() { return 1; }\n  title;\n  kind: number | undefined | null;\n}', 'was not found'),
  refuses('half of the middle in two blocks', lines('test a', ' x', ' one thing here', 'end', 'test a', ' x', ' other stuff there', 'end'), 'test a\n x\n 123456789\nend', 'test a\n y\n 123456789\nend', 'was not found'),
  refuses('a head that stands twice', lines('begin', ' a = 1', ' b = 2', 'end', 'begin', ' a = 1', ' b = 3', 'end'), 'begin\n a = 1\n b = 4\nend', 'begin\n a = 5\n b = 4\nend', 'was not found'),
  gives('an empty middle', lines('start here', '  ', 'the end'), 'start here\n\nthe end', 'start here\n\nthe very end', lines('start here', '  ', 'the very end'), 'line-trimmed'),
  gives('a large block with one comment that is other', lines('func begin() {', ...Array.from({ length: 200 }, (_, n) => `\tcall(${n})`), '\t// finish all of it', '\tend()', '}'), `func begin() {\n${Array.from({ length: 200 }, (_, n) => `    call(${n})`).join('\n')}\n    // finish all of this\n    end()\n}`, `func begin() {\n${Array.from({ length: 200 }, (_, n) => `    call(${n})`).join('\n')}\n    // finish all of this\n    end()\n    last()\n}`, lines('func begin() {', ...Array.from({ length: 200 }, (_, n) => `\tcall(${n})`), '\t// finish all of it', '\tend()', '\tlast()', '}'), BLOCK),
];
