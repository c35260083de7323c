// Other indentation than the file's: the replacement takes the file's characters and depth, or is refused.
import { gives, lines, refuses, type EditCase } from './case.ts';

const TABS = lines('function f(x) {', '\tif (x) {', '\t\treturn 1;', '\t}', '\treturn 2;', '}');
const FOUR = TABS.replaceAll('\t', '    ');
const TRIMMED = 'line-trimmed';
const PYTHON = lines('class A:', '    def f(self):', '        if self.x:', '            return 1', '        return 2', '', '    def g(self):', '        return 3');
const MAKE = lines('all: a b', '\tcc -o all a b', '', 'clean:', '\trm -f all', '\trm -f *.o');
const YAML = lines('jobs:', '  build:', '    steps:', '      - run: make', '      - run: make test', '  lint:', '    steps:', '      - run: make lint');

export const indentation: readonly EditCase[] = [
  gives('4 blanks for a tab', TABS, '    if (x) {\n        return 1;\n    }', '    if (x) {\n        return 7;\n    }', TABS.replace('1', '7'), TRIMMED),
  gives('2 blanks for a tab', TABS, '  if (x) {\n    return 1;\n  }', '  if (x) {\n    return 7;\n  }', TABS.replace('1', '7'), TRIMMED),
  gives('8 blanks for a tab', TABS, '        if (x) {\n                return 1;', '        if (x) {\n                return 7;', TABS.replace('1', '7'), TRIMMED),
  gives('one line with blanks for a tab', TABS, '    return 2;', '    return 9;', TABS.replace('return 2', 'return 9'), TRIMMED),
  gives('a tab for 4 blanks', FOUR, '\tif (x) {\n\t\treturn 1;\n\t}', '\tif (x) {\n\t\treturn 7;\n\t}', FOUR.replace('1', '7'), TRIMMED),
  gives('2 blanks for 4', FOUR, '  if (x) {\n    return 1;\n  }', '  if (x) {\n    return 7;\n  }', FOUR.replace('1', '7'), TRIMMED),
  gives('a new line, deeper than any before', TABS, '  if (x) {\n    return 1;\n  }', '  if (x) {\n    if (y) {\n      return 3;\n    }\n    return 1;\n  }', TABS.replace('\t\treturn 1;', '\t\tif (y) {\n\t\t\treturn 3;\n\t\t}\n\t\treturn 1;'), TRIMMED),
  gives('a deeper line told by one', TABS, '    return 2;', '    if (z) {\n        return 3;\n    }\n    return 2;', TABS.replace('\treturn 2;', '\tif (z) {\n\t\treturn 3;\n\t}\n\treturn 2;'), TRIMMED),
  gives('a deeper line, 2 blanks for 4, told by one', FOUR, '  return 2;', '  if (z) {\n    return 3;\n  }\n  return 2;', FOUR.replace('    return 2;', '    if (z) {\n        return 3;\n    }\n    return 2;'), TRIMMED),
  gives('the end of the indentation, one line: literal', FOUR, '  return 2;', '  return 9;', FOUR.replace('return 2', 'return 9')),
  refuses('the end of the indentation, a part of the line and a new one', FOUR, '  return 2', '  y();\n  return 9', 'it begins with other white space than old_string, and it can\'t be told how far the new lines should be'),
  gives('a block written without its depth', FOUR, 'if (x) {\n    return 1;\n}\nreturn 2;', 'if (x) {\n    return 7;\n}\nreturn 8;', FOUR.replace('1', '7').replace('return 2', 'return 8'), TRIMMED),
  gives('a block written too deep', FOUR, '        if (x) {\n            return 1;\n        }', '        if (x) {\n            return 7;\n        }', FOUR.replace('1', '7'), TRIMMED),
  gives('a new line in a block written without its depth', FOUR, 'if (x) {\n    return 1;\n}\nreturn 2;', 'if (x) {\n    log(x);\n    return 1;\n}\nreturn 2;', FOUR.replace('        return 1;', '        log(x);\n        return 1;'), TRIMMED),
  gives('text from the middle of a line on', FOUR, 'if (x) {\n        return 1;\n    }', 'if (x) {\n        return 7;\n    }', FOUR.replace('1', '7')),
  gives('no indentation at all', FOUR, 'if (x) {\nreturn 1;\n}', 'if (x) {\nreturn 7;\n}', FOUR.replace('1', '7'), TRIMMED),
  gives('no indentation at all, each line changed', FOUR, 'if (x) {\nreturn 1;\n}', 'if (y) {\nreturn 7;\n} // end', FOUR.replace('if (x)', 'if (y)').replace('1', '7').replace('    }', '    } // end'), TRIMMED),
  refuses('no indentation at all, and a new line', FOUR, 'if (x) {\nreturn 1;\n}', 'if (x) {\nlog();\nreturn 1;\n}', 'it can\'t be told how far "log();" should be'),
  gives('the first line from its first letter on', TABS, 'if (x) {\n        return 1;\n    }', 'if (y) {\n        return 7;\n    }', TABS.replace('if (x)', 'if (y)').replace('1', '7'), TRIMMED),
  gives('lines that stay keep odd indentation', lines('  a();', '     b();', '  c();'), 'a();\nb();\nc();', 'a();\nb();\nd();', lines('  a();', '     b();', '  d();'), TRIMMED),
  gives('lines that stay keep trailing blanks', lines('a();  ', 'b();\t', 'c();'), 'a();\nb();\nc();', 'a();\nb();\nd();', lines('a();  ', 'b();\t', 'd();'), TRIMMED),
  gives('trailing blanks that only the model has', lines('a();', 'b();'), 'a();  \nb();', 'c();  \nb();', lines('c();', 'b();'), TRIMMED),
  gives('empty lines with blanks in them', lines('a();', '    ', 'b();'), 'a();\n\nb();', 'a();\n\nc();', lines('a();', '    ', 'c();'), TRIMMED),
  gives('an empty line with blanks that only the model has', lines('a();', '', 'b();'), 'a();\n    \nb();', 'a();\n    \nc();', lines('a();', '', 'c();'), TRIMMED),
  gives('a line away', TABS, '    if (x) {\n        return 1;\n    }\n', '', lines('function f(x) {', '\treturn 2;', '}'), TRIMMED),
  refuses('a line with the breaks before and behind it, away', TABS, '\n    return 2;\n', '', 'old_string begins or ends with a line break that new_string does not have'),
  gives('lines away from a block', TABS, '    if (x) {\n        return 1;\n    }\n    return 2;', '    return 2;', lines('function f(x) {', '\treturn 2;', '}'), TRIMMED),
  gives('with the line break behind it', TABS, '    return 2;\n', '    return 9;\n', TABS.replace('return 2', 'return 9'), TRIMMED),
  gives('with the line break before it', TABS, '\n    return 2;', '\n    return 9;', TABS.replace('return 2', 'return 9'), TRIMMED),
  refuses('with a line break that the new text lacks', TABS, '    return 2;\n', '    return 9;', 'old_string begins or ends with a line break that new_string does not have'),
  gives('a deeper level at its own proportion', lines('a:', '   b', '      c'), '  b\n    c', '  b\n    d\n      e', lines('a:', '   b', '      d', '         e'), TRIMMED),
  refuses('levels in no proportion', lines('a', ' b', '     c', '      e'), '  b\n    c\n      e', '  b\n    c\n      d\n      e', 'it can\'t be told how far "d" should be'),
  refuses('half a level', TABS, '    if (x) {\n        return 1;\n    }', '    if (x) {\n      half();\n        return 1;\n    }', 'it can\'t be told how far "half();" should be'),
  refuses('shapes that contradict each other', lines('if a:', '    x()', '    y()'), 'if a:\n        x()\n    y()', 'if a:\n        x()\n    z()', 'it can\'t be told how far'),
  gives('only lines that stay contradict, and nothing new', lines('if a:', '    x()', '    y()', 'z()'), 'if a:\n    x()\ny()\nz()', 'if a:\n    x()\ny()', lines('if a:', '    x()', '    y()'), TRIMMED),
  refuses('two blocks that differ in depth only', lines('\tfoo();', '\t\tfoo();'), '    foo(); ', '    bar();', '2 places resemble it, in lines 1, 2'),
  gives('two blocks of other shapes: the one that fits', lines('if a:', '    x()', '    y()', 'if a:', '    x()', 'y()'), '  if a:\n      x()\n  y()', '  if a:\n      x()\n  z()', lines('if a:', '    x()', '    y()', 'if a:', '    x()', 'z()'), 'indentation-flexible'),
  gives('stars of a comment', lines('\t/**', '\t * Old.', '\t */', '\tf();'), '    /**\n     * Old.\n     */', '    /**\n     * New.\n     * More.\n     */', lines('\t/**', '\t * New.', '\t * More.', '\t */', '\tf();'), TRIMMED),
  gives('nothing indented, but a new line is', lines('a {  ', '}'), 'a {\n}', 'a {\n    b\n}', lines('a {  ', '    b', '}'), TRIMMED),
  gives('nothing indented, and a new line is, in a file with tabs', lines('a {  ', '}', 'b {', '\tc', '\td', '}'), 'a {\n}', 'a {\n    x\n}', lines('a {  ', '\tx', '}', 'b {', '\tc', '\td', '}'), TRIMMED),

  // Where indentation is meaning.
  gives('Python: an exact line', PYTHON, '            return 1', '            return 5', PYTHON.replace('return 1', 'return 5')),
  gives('Python: tabs for blanks', PYTHON, '\t\tif self.x:\n\t\t\treturn 1', '\t\tif self.x:\n\t\t\treturn 5', PYTHON.replace('return 1', 'return 5'), TRIMMED),
  gives('Python: 2 blanks for 4, a new branch', PYTHON, '    if self.x:\n      return 1\n    return 2', '    if self.x:\n      return 1\n    elif self.y:\n      return 4\n    return 2', PYTHON.replace('        return 2', '        elif self.y:\n            return 4\n        return 2'), TRIMMED),
  gives('Python: a method without its depth', PYTHON, 'def g(self):\n    return 3', 'def g(self):\n    if self.y:\n        return 4\n    return 3', PYTHON.replace('        return 3', '        if self.y:\n            return 4\n        return 3'), TRIMMED),
  refuses('Python: a new statement where nothing tells its depth', PYTHON, 'if self.x:\nreturn 1\nreturn 2', 'if self.x:\nreturn 1\nlog()\nreturn 2', 'it can\'t be told how far "log()" should be'),
  refuses('Python: the same line at two depths', lines('if a:', '    if b:', '        return', '    return'), '  return', '  pass', 'occurs 2 times'),
  refuses('Python: a line that stands at two depths', lines('if a:', '\tif b:', '\t\treturn', '\treturn'), '    return', '    pass', '2 places resemble it, in lines 3, 4'),
  gives('Makefile: blanks for the tab', MAKE, '    cc -o all a b', '    cc -O2 -o all a b', MAKE.replace('cc -o', 'cc -O2 -o'), TRIMMED),
  gives('Makefile: a rule with one command more', MAKE, 'all: a b\n        cc -o all a b\n', 'all: a b\n        echo\n        cc -o all a b\n', MAKE.replace('\tcc', '\techo\n\tcc'), TRIMMED),
  gives('Makefile: a new rule at an exact place keeps what is written', MAKE, 'clean:\n', 'test: all\n\t./all\n\nclean:\n', MAKE.replace('clean:', 'test: all\n\t./all\n\nclean:')),
  gives('Makefile: both commands', MAKE, 'clean:\n    rm -f all\n    rm -f *.o', 'clean:\n    rm -f all *.o', MAKE.replace('\trm -f all\n\trm -f *.o', '\trm -f all *.o'), TRIMMED),
  gives('YAML: an exact key', YAML, '  lint:', '  check:', YAML.replace('lint:', 'check:')),
  gives('YAML: 4 blanks for 2', YAML, '    lint:\n        steps:\n            - run: make lint', '    lint:\n        steps:\n            - run: make lint\n            - run: make format', `${YAML}      - run: make format\n`, TRIMMED),
  gives('YAML: a step without its depth', YAML, '- run: make lint ', '- run: make format ', YAML.replace('make lint', 'make format'), TRIMMED),
  refuses('YAML: a part that stands twice', YAML, '    steps:\n', '    stages:\n', 'occurs 2 times in f.txt, in lines 3, 7'),
  refuses('YAML: tabs, twice', YAML, '\tsteps:', '\tstages:', '2 places resemble it, in lines 3, 7'),
  gives('a list in Markdown', lines('- a', '  - b', '  - c'), '- a\n    - b\n    - c', '- a\n    - b\n    - c\n    - d', lines('- a', '  - b', '  - c', '  - d'), TRIMMED),
  gives('a heredoc keeps its text', lines('cat <<E', '  two', 'E'), '  two', '    four', lines('cat <<E', '    four', 'E')),
  gives('exact, though new lines are in blanks in a file with tabs: literal', TABS, 'function f(x) {\n', 'function f(x) {\n    y();\n', TABS.replace('{\n', '{\n    y();\n')),
];
