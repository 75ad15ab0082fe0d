import fc from 'fast-check';

const pieces = [
  ...['"', "'", '\\', '`', '$', '\u0024{x}', '$(x)', '{x}', '#', '%', '%s', '%%bash', '!ls', '\n', '\r\n', '\t', '\0', ' '],
  ...[
    '"""',
    "'''",
    '\\n',
    '\\u0041',
    '\u202e',
    '\u2066',
    '\u2028',
    '\u0085',
    '\ufeff',
    '\u200b',
    '\ud800',
    '😀',
    'é',
    'e\u0301',
  ],
  ...[
    '<b>',
    '</script>',
    '<!--',
    '&amp;',
    '[x](y)',
    '![x](y)',
    '**',
    '__',
    '|',
    '|-|',
    '~~',
    '* ',
    '- ',
    '1. ',
    '> ',
    '---',
  ],
  ...[
    'https://x.example',
    'www.x.example',
    'a@b.example',
    '\\(x\\)',
    '$$x$$',
    '\\[',
    ']',
    ')',
    '(',
    ',',
    ';',
    '=1+1',
    '@x',
    '+x',
    '-x',
  ],
];

/** Text as nobody wishes it: quotes, escapes, markup and direction marks of every target, and anything Unicode has. */
export const oddText = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 8 })
  .map((parts) => parts.join(''));
