package dev.sluice.calls.layout;

/**
 * What one Java field says about C.
 *
 * @param field      the field
 * @param expression the C expression that the field is to equal
 * @param value      the field's value
 */
record Claim(String field, String expression, long value) {

    Claim with(long other) {
        return new Claim(field, expression, other);
    }

    // A Java int may stand for a C unsigned: EPOLLET is the highest bit.
    boolean agrees(Long c) {
        return c != null && (value == c || value == (int) value && Integer.toUnsignedLong((int) value) == c);
    }
}
