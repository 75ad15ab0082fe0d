import fc from 'fast-check';

const pieces = [
  ...'"\'\\`$#%\n\t\0 \u202e\u2066\u2028\u0085\ufeff\u200b😀é|()],;',
  ...'\u0024{x} $(x) {x} %s %%bash !ls """ \'\'\' \\n \\u0041 e\u0301'.split(' '),
  ...'<b> </script> <!-- &amp; [x](y) ![x](y) ** __ |-| ~~ --- https://x.example www.x.example a@b.example'.split(' '),
  ...'\\(x\\) $$x$$ \\[ =1+1 @x +x -x'.split(' '),
  ...['\r\n', '\ud800', '* ', '- ', '1. ', '> '],
];

/** Text as nobody wishes it: quotes, escapes, markup and direction marks of every target, and anything Unicode has. */
export const oddText = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 8 })
  .map((parts) => parts.join(''));
